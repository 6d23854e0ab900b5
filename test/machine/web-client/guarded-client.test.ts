import { expect, test } from "vitest";
import { createTestAuthority } from "../../support/web/certificates.ts";
import { type Handler, leadTo, serveWeb } from "../../support/web/test-web.ts";
import { openPage, publicAddress } from "./open-page.ts";

const authority = createTestAuthority();
const certificate = authority.issue(["example.com", publicAddress]);
const ca = [authority.ca];

const redirectTo =
  (location: string, status = 302): Handler =>
  (_request, response) =>
    void response.writeHead(status, { location }).end("moved");

test("a name is looked up once, and the connection goes to that answer under the name", async () => {
  const { port, requests } = await serveWeb({ "/a": "hello" }, { certificate });
  const { dial, dialled } = leadTo({ https: port });
  const answers = [[publicAddress], ["127.0.0.1"]];
  const page = await openPage("https://example.com/a", { dial, ca, lookup: () => answers.shift()! });
  expect(page).toMatchObject({ status: 200, text: "hello", route: "direct" });
  expect(dialled).toEqual([publicAddress]);
  expect(answers).toHaveLength(1);
  expect(requests).toEqual(["GET example.com/a"]);
});

test("the connection itself uses no other lookup", async () => {
  const { port } = await serveWeb({ "/": "from the pinned address" });
  const origins = [`http://name.that.does.not.exist.invalid:${port}`];
  const page = await openPage(`${origins[0]}/`, { origins, lookup: () => ["127.0.0.1"] });
  expect(page.text).toBe("from the pinned address");
});

test("IPv6 is reached too, and the next address if the first does not answer", async () => {
  const { port } = await serveWeb({ "/": "six" }, { host: "::1" });
  const origins = [`http://six.test:${port}`];
  const page = await openPage(`${origins[0]}/`, { origins, lookup: () => ["127.0.0.1", "::1"] });
  expect(page.text).toBe("six");
});

test("one private answer among public ones refuses the host", async () => {
  const { dial, dialled } = leadTo({});
  const lookup = () => [publicAddress, "10.0.0.7"];
  await expect(openPage("http://example.com/", { dial, lookup })).rejects.toMatchObject({
    code: "permission-denied",
    message:
      "example.com leads to 10.0.0.7; that is an address in a private network, which the web tools may not reach",
  });
  expect(dialled).toEqual([]);
});

test("a request carries no cookie, no authorization and nothing of the user", async () => {
  let sent: object = {};
  const { port } = await serveWeb((request, response) => {
    sent = request.headers;
    response.setHeader("set-cookie", "a=b").end();
  });
  await openPage("http://example.com/", leadTo({ http: port }));
  await openPage("http://example.com/", leadTo({ http: port }));
  expect(sent).toEqual({ host: "example.com", connection: "close" });
});

test("a redirect within the host is followed, and every hop asks for permission", async () => {
  const { port } = await serveWeb({
    "/a": redirectTo("/b"),
    "/b": redirectTo("http://example.com/c"),
    "/c": "here",
  });
  const asked: string[] = [];
  const admit = ({ href }: { href: string }) => void asked.push(href);
  const page = await openPage("http://example.com/a", { ...leadTo({ http: port }), admit });
  expect(page).toMatchObject({ text: "here", url: "http://example.com/c" });
  expect(asked).toEqual(["a", "b", "c"].map((path) => `http://example.com/${path}`));
});

test("a redirect from http to https on the same host is followed, the other way is not", async () => {
  const http = await serveWeb({ "/": redirectTo("https://example.com/safe") });
  const https = await serveWeb(
    { "/safe": "safe", "/back": redirectTo("http://example.com/") },
    { certificate },
  );
  const ways = { ...leadTo({ http: http.port, https: https.port }), ca };
  expect(await openPage("http://example.com/", ways)).toMatchObject({ text: "safe" });
  const back = await openPage("https://example.com/back", ways);
  expect(back).toMatchObject({ status: 302, redirect: "http://example.com/" });
});

test.each(["http://other.example/x", "//other.example/x", "/\\other.example/x", "http://example.com:8080/"])(
  "a redirect to %s is returned, not followed",
  async (location) => {
    const { port, requests } = await serveWeb({ "/": redirectTo(location) });
    const lookedUp: string[] = [];
    const lookup = (host: string) => {
      lookedUp.push(host);
      return [publicAddress];
    };
    const { redirect } = await openPage("http://example.com/", { ...leadTo({ http: port }), lookup });
    expect(redirect).toBe(new URL(location, "http://example.com/").href);
    expect(requests).toHaveLength(1);
    // Looking up another name would already send something out.
    expect(lookedUp).toEqual(["example.com"]);
  },
);

test.each([
  ["http://169.254.169.254/latest/", /metadata services/],
  ["http://[::1]/", /this machine/],
  ["http://localhost:3000/", /this machine/],
  ["http://10.1.2.3/", /private network/],
  ["file:///etc/passwd", /scheme file/],
  ["https://user:password@example.com/", /user name or password/],
  ["http://example.com:25/", /port 25/],
])("a redirect to %s is refused", async (location, message) => {
  const { port } = await serveWeb({ "/": redirectTo(location) });
  await expect(openPage("http://example.com/", leadTo({ http: port }))).rejects.toMatchObject({
    code: "permission-denied",
    message: expect.stringMatching(message),
  });
});

test("a name that turns private between two hops is refused", async () => {
  const { port } = await serveWeb({ "/": redirectTo("/again") });
  const answers = [[publicAddress], ["127.0.0.1"]];
  const { dial, dialled } = leadTo({ http: port });
  await expect(
    openPage("http://example.com/", { dial, lookup: () => answers.shift()! }),
  ).rejects.toMatchObject({
    code: "permission-denied",
  });
  expect(dialled).toEqual([publicAddress]);
});

test("redirects without end are given up after five", async () => {
  const { port, requests } = await serveWeb(redirectTo("/again"));
  await expect(openPage("http://example.com/", leadTo({ http: port }))).rejects.toThrow("more than 5 times");
  expect(requests).toHaveLength(6);
});

test("a request that changes something is not repeated by a redirect", async () => {
  const { port, requests } = await serveWeb({ "/": redirectTo("/b", 307) });
  const page = await openPage("http://example.com/", { ...leadTo({ http: port }), method: "POST" });
  expect(page).toMatchObject({ status: 307, redirect: "http://example.com/b" });
  expect(requests).toEqual(["POST example.com/"]);
});

test("an origin that the user configured may have any address, and still needs permission", async () => {
  const { port } = await serveWeb({ "/": "inside" });
  const origins = [`http://wiki.corp:${port}`];
  const lookup = () => ["127.0.0.1"];
  const asked: string[] = [];
  const admit = ({ authority: name }: { authority: string }) => void asked.push(name);
  expect(await openPage(`${origins[0]}/`, { origins, lookup, admit })).toMatchObject({ text: "inside" });
  expect(asked).toEqual([`wiki.corp:${port}`]);
  const other = `http://wiki.corp:${port + 1}/`;
  await expect(openPage(other, { origins, lookup })).rejects.toMatchObject({ code: "permission-denied" });
});

test("a rule that names localhost or an address reaches it", async () => {
  const { port } = await serveWeb({ "/": "dev server" });
  for (const host of ["localhost", "127.0.0.1", "app.localhost"]) {
    const url = `http://${host}:${port}/`;
    expect(await openPage(url, { isNamed: true })).toMatchObject({ text: "dev server" });
    await expect(openPage(url, { isNamed: false })).rejects.toMatchObject({ code: "permission-denied" });
  }
});

test("a rule that names any other host does not let it lead into a private network", async () => {
  const refused = openPage("http://example.com/", { isNamed: true, lookup: () => ["127.0.0.1"] });
  await expect(refused).rejects.toMatchObject({ code: "permission-denied" });
});

test.each(["169.254.169.254", "168.63.129.16", "[fe80::1]", "0.0.0.0", "[::ffff:127.0.0.1]"])(
  "not even a rule leads to %s",
  async (host) => {
    const refused = openPage(`http://${host}/`, { isNamed: true });
    await expect(refused).rejects.toMatchObject({ code: "permission-denied" });
  },
);

test("localhost is this machine, whatever a name server says", async () => {
  const { port } = await serveWeb({ "/": "here" });
  const page = await openPage(`http://localhost:${port}/`, {
    isNamed: true,
    lookup: () => ["93.184.215.14"],
  });
  expect(page.text).toBe("here");
});

test.each([
  ["EAI_AGAIN", "unavailable", "example.com cannot be reached: there is no network connection"],
  ["ENOTFOUND", "not-found", "there is no host named example.com"],
])("a lookup that fails with %s is told in one sentence", async (code, expected, message) => {
  const lookup = () => Promise.reject(Object.assign(new Error(`getaddrinfo ${code}`), { code }));
  await expect(openPage("http://example.com/", { lookup })).rejects.toMatchObject({
    code: expected,
    message,
  });
});

test("a name without any address is unknown, and a port without a server refuses", async () => {
  await expect(openPage("http://example.com/", { lookup: () => [] })).rejects.toMatchObject({
    code: "not-found",
  });
  await expect(openPage("http://example.com/", leadTo({ http: 1 }))).rejects.toThrow(
    "refused the connection",
  );
});

test.each([
  ["an unknown authority", { cert: createTestAuthority().issue(["example.com"]), trusted: ca }],
  ["the certificate of another host", { cert: authority.issue(["example.org"]), trusted: ca }],
  [
    "an expired certificate",
    { cert: authority.issue(["example.com"], { notAfter: new Date(1e12) }), trusted: ca },
  ],
  ["an authority that the user has not named", { cert: certificate, trusted: undefined }],
])("https with %s is refused before anything is sent", async (_name, { cert, trusted }) => {
  const { port, requests } = await serveWeb({ "/": "secret" }, { certificate: cert });
  const refused = openPage("https://example.com/", { ...leadTo({ https: port }), ca: trusted });
  await expect(refused).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("no secure connection that can be trusted"),
  });
  expect(requests).toEqual([]);
});

test("an address with https is checked against its certificate", async () => {
  const { port } = await serveWeb({ "/": "by address" }, { certificate });
  const ways = { ...leadTo({ https: port }), ca };
  expect(await openPage(`https://${publicAddress}/`, ways)).toMatchObject({ text: "by address" });
  await expect(openPage("https://1.1.1.1/", ways)).rejects.toThrow("trusted");
});

test("a server without TLS on the https port is told of", async () => {
  const { port } = await serveWeb({ "/": "plain" });
  await expect(openPage("https://example.com/", { ...leadTo({ https: port }), ca })).rejects.toMatchObject({
    code: "unavailable",
  });
});
