import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createProxyFinder } from "../../../src/machine/web-client/guarded-client.ts";
import { readProxy } from "../../../src/machine/web-client/read-proxy.ts";
import { parseWebUrl, type WebUrl } from "../../../src/shared/web/parse-web-url.ts";
import { createTestAuthority } from "../../support/web/certificates.ts";
import { serveWeb } from "../../support/web/test-web.ts";
import { openPage, publicAddress } from "./open-page.ts";

const authority = createTestAuthority();
const certificate = authority.issue(["example.com"]);
const ca = [authority.ca];

/** A proxy that leads every tunnel to one port of this machine, and keeps what it was asked for. */
async function serveProxy(target: number, { status = 200 } = {}) {
  const asked: { target: string | undefined; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => void response.writeHead(400).end());
  server.on("connect", ({ url, headers }, client: Socket) => {
    asked.push({ target: url, authorization: headers["proxy-authorization"] });
    sockets.add(client);
    client.on("error", () => {});
    if (status !== 200) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const upstream = connect(target, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test("through a proxy, the tunnel goes to the vetted address and the request to the name", async () => {
  const https = await serveWeb({ "/": "secure" }, { certificate });
  const proxy = await serveProxy(https.port);
  const page = await openPage("https://example.com/", { environment: { HTTPS_PROXY: proxy.address }, ca });
  expect(page).toMatchObject({ text: "secure", route: "proxy" });
  expect(proxy.asked).toEqual([{ target: `${publicAddress}:443`, authorization: undefined }]);
  expect(https.requests).toEqual(["GET example.com/"]);
});

test("http goes through a tunnel too", async () => {
  const http = await serveWeb({ "/": "plain" });
  const proxy = await serveProxy(http.port);
  const page = await openPage("http://example.com:8080/", { environment: { http_proxy: proxy.address } });
  expect(page).toMatchObject({ text: "plain", route: "proxy" });
  expect(proxy.asked).toEqual([{ target: `${publicAddress}:8080`, authorization: undefined }]);
});

test("a name that leads into a private network is refused before the proxy hears of it", async () => {
  const proxy = await serveProxy(1);
  const refused = openPage("http://example.com/", { proxy: proxy.address, lookup: () => ["10.0.0.1"] });
  await expect(refused).rejects.toMatchObject({ code: "permission-denied" });
  expect(proxy.asked).toEqual([]);
});

test("the proxy looks up names only where the user says so, and addresses are checked all the same", async () => {
  const http = await serveWeb({ "/": "by name" });
  const proxy = await serveProxy(http.port);
  const lookup = () => Promise.reject(new Error("no name server here"));
  const options = { proxy: proxy.address, proxyResolves: true, lookup };
  expect(await openPage("http://example.com/", options)).toMatchObject({
    text: "by name",
    route: "proxy-resolved",
  });
  expect(proxy.asked).toEqual([{ target: "example.com:80", authorization: undefined }]);
  await expect(openPage("http://10.0.0.1/", options)).rejects.toMatchObject({ code: "permission-denied" });
  await expect(openPage("http://localhost/", options)).rejects.toMatchObject({ code: "permission-denied" });
});

test("a proxy gets its user name and password, and a refusal is told without them", async () => {
  const proxy = await serveProxy(1, { status: 407 });
  const address = proxy.address.replace("//", "//user:p%40ss@");
  const refused = openPage("http://example.com/", { proxy: address }).catch((error: Error) => error.message);
  expect(await refused).toBe(`the proxy ${proxy.address.slice(7)} refused the connection with status 407`);
  expect(proxy.asked[0]?.authorization).toBe(`Basic ${Buffer.from("user:p@ss").toString("base64")}`);
});

test("a proxy that is not there is named", async () => {
  await expect(openPage("http://example.com/", { proxy: "http://127.0.0.1:1" })).rejects.toThrow(
    "the proxy 127.0.0.1:1 refused the connection",
  );
});

const environment = {
  HTTP_PROXY: "http://plain.example:3128",
  https_proxy: "secure.example",
  NO_PROXY:
    "internal.example, .dotted.example *.star.example,with.port:8080,10.0.0.0/8 192.0.2.7 [2001:db8::1],::2",
};

test.each([
  ["http://a.example/", "plain.example"],
  ["https://a.example/", "secure.example"],
  ["http://internal.example/", undefined],
  ["http://sub.internal.example/", undefined],
  ["http://notinternal.example/", "plain.example"],
  ["http://dotted.example/", undefined],
  ["http://a.dotted.example/", undefined],
  ["http://a.star.example/", undefined],
  ["http://with.port:8080/", undefined],
  ["http://with.port/", "plain.example"],
  ["http://10.1.2.3/", undefined],
  ["http://11.1.2.3/", "plain.example"],
  ["http://192.0.2.7/", undefined],
  ["http://[2001:db8::1]/", undefined],
  ["http://[::2]/", undefined],
  ["http://localhost:3000/", undefined],
  ["http://127.0.0.1:3000/", undefined],
  ["http://[::1]:3000/", undefined],
])("the environment's proxy for %s is %s", (url, host) => {
  const find = createProxyFinder(undefined, environment);
  expect(find(parseWebUrl(url) as WebUrl)?.host).toBe(host);
});

test("NO_PROXY * and the option false mean no proxy at all; the option names one for everything else", () => {
  const url = parseWebUrl("https://internal.example/") as WebUrl;
  expect(createProxyFinder(undefined, { ALL_PROXY: "http://all.example" })(url)?.host).toBe("all.example");
  expect(createProxyFinder(undefined, { ...environment, NO_PROXY: "*" })(url)).toBeUndefined();
  expect(createProxyFinder(false, environment)(url)).toBeUndefined();
  expect(createProxyFinder("http://own.example", environment)(url)?.host).toBe("own.example");
});

test("a proxy of another kind is refused without repeating its password", () => {
  const refuse = () => readProxy("socks5://user:secret@proxy.example:1080");
  expect(refuse).toThrow("the proxy must be an http:// or https:// address");
  expect(refuse).not.toThrow("secret");
});
