import { expect, test } from "vitest";
import { createOriginFetch } from "../../../../src/capabilities/mcp-client/connection/origin-fetch.ts";
import { createGuardedClient } from "../../../../src/machine/web-client/guarded-client.ts";
import { type Handler, leadTo, serveWeb } from "../../../support/web/test-web.ts";

const redirectTo =
  (location: string, status = 302): Handler =>
  (_request, response) =>
    void response.writeHead(status, { location }).end();

function openFetch([server = "", ...configured]: readonly string[], elsewhere?: number, headers = {}) {
  const { dial, dialled } = leadTo(elsewhere === undefined ? {} : { http: elsewhere });
  const lookup = (host: string) => (host === "inside.example" ? ["10.0.0.1"] : ["93.184.215.14"]);
  const client = async () => createGuardedClient({ dial, lookup, environment: {} });
  return { fetch: createOriginFetch({ server, headers, configured, client, maxBytes: 1000 }), dialled };
}

test("the server's own origin is reached wherever it is, and streams its answers", async () => {
  const { port } = await serveWeb((_request, response) => void response.write("first"));
  const { fetch } = openFetch([`http://127.0.0.1:${port}`]);
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", body: "{}" });
  const { value } = await response.body!.getReader().read();
  expect(Buffer.from(value!).toString()).toBe("first");
});

test.each([
  "http://localhost:1/admin",
  "http://169.254.169.254/latest/meta-data/",
  "http://inside.example/",
  "http://[::1]:1/",
  "file:///etc/passwd",
])("neither a redirect nor a sign-in leads to %s", async (address) => {
  const { port } = await serveWeb(redirectTo(address, 307));
  const { fetch, dialled } = openFetch([`http://127.0.0.1:${port}`]);
  await expect(fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", body: "{}" })).rejects.toThrow();
  await expect(fetch(address)).rejects.toThrow();
  expect(dialled).toEqual([]);
});

test("a public address that the server names is reached, without what belongs to the server", async () => {
  let sent: Record<string, unknown> = {};
  const elsewhere = await serveWeb((request, response) => {
    sent = request.headers;
    response.setHeader("content-type", "application/json").end('{"issuer":"x"}');
  });
  const { port } = await serveWeb(redirectTo("http://login.example/metadata"));
  const { fetch } = openFetch([`http://127.0.0.1:${port}`], elsewhere.port);
  const headers = { authorization: "Bearer secret", accept: "application/json" };
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers });
  expect(await response.json()).toEqual({ issuer: "x" });
  expect(response.url).toBe("http://login.example/metadata");
  expect(sent).toMatchObject({ host: "login.example", accept: "application/json" });
  expect(sent).not.toHaveProperty("authorization");
});

test("redirects within the origin are followed as fetch does it, five times at most", async () => {
  const { port, requests } = await serveWeb({
    "/a": redirectTo("/b", 303),
    "/b": "done",
    "/loop": redirectTo("/loop"),
  });
  const { fetch } = openFetch([`http://127.0.0.1:${port}`]);
  const response = await fetch(`http://127.0.0.1:${port}/a`, { method: "POST", body: "{}" });
  expect(await response.text()).toBe("done");
  expect(requests).toEqual([`POST 127.0.0.1:${port}/a`, `GET 127.0.0.1:${port}/b`]);
  await expect(fetch(`http://127.0.0.1:${port}/loop`)).rejects.toThrow("more than 5 times");
});

test("a server on this machine may have its sign-in on another port, one elsewhere may not", async () => {
  const signIn = await serveWeb({ "/": "sign in" });
  const local = openFetch(["http://127.0.0.1:9999"]);
  expect(await (await local.fetch(`http://127.0.0.1:${signIn.port}/`)).text()).toBe("sign in");
  const public_ = openFetch(["http://inside.example:9999"]);
  await expect(public_.fetch("http://inside.example:9998/")).rejects.toMatchObject({
    code: "permission-denied",
  });
});

test("an answer from elsewhere is limited in size", async () => {
  const elsewhere = await serveWeb({ "/": "a".repeat(1001) });
  const { fetch } = openFetch(["http://127.0.0.1:9"], elsewhere.port);
  await expect(fetch("http://login.example/")).rejects.toMatchObject({ code: "too-large" });
});

test("configured headers go to the server's own origin, and nowhere else", async () => {
  const seen: string[] = [];
  const note: Handler = ({ headers }, response) => {
    seen.push(`${headers["x-key"] ?? "none"} ${headers.authorization ?? "none"}`);
    response.end("{}");
  };
  const other = await serveWeb(note);
  const away = redirectTo(`http://127.0.0.1:${other.port}/`, 307);
  const { port } = await serveWeb({
    "/mcp": note,
    "/away": away,
    "/far": redirectTo("http://login.example/"),
  });
  const own = `http://127.0.0.1:${port}`;
  const configured = { "X-Key": "hush", Authorization: "Bearer hush" };
  const { fetch } = openFetch([own, `http://127.0.0.1:${other.port}`], other.port, configured);
  await fetch(`${own}/mcp`);
  await fetch(`${own}/mcp`, { headers: { authorization: "Bearer signed-in" } });
  // Another port of this machine, a configured issuer, a redirect to it, and one to a stranger.
  await fetch(`http://127.0.0.1:${other.port}/token`, { headers: { authorization: "Basic ours" } });
  await fetch(`${own}/away`);
  await fetch(`${own}/far`);
  expect(seen).toEqual([
    "hush Bearer hush",
    "hush Bearer signed-in",
    "none Basic ours",
    "none none",
    "none none",
  ]);
});
