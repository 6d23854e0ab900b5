import { expect, test } from "vitest";
import type { RuntimeOptions } from "../../../src/index.ts";
import { defineTool } from "../../../src/tool/define-tool.ts";
import type { WebRequestOptions } from "../../../src/tool/services/web.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { createTestAuthority } from "../../support/web/certificates.ts";
import { type Site, serveWeb } from "../../support/web/test-web.ts";

/** A tool that declares nothing and sends what it is told to. */
const probe = defineTool({
  name: "send",
  description: "Sends a request.",
  params: { url: { type: "string" }, options: { type: "object", default: {}, additionalProperties: true } },
  run: ({ url, options }, { web }) => web.fetch(url, options as WebRequestOptions),
});

async function openWeb(site: Site, options: RuntimeOptions = {}) {
  const { port, requests } = await serveWeb(site);
  const origin = `http://docs.test:${port}`;
  const opened = await openTestSession({
    tools: [probe],
    permissions: { mode: "auto", allow: ["@network"] },
    web: { lookup: () => ["127.0.0.1"], origins: [origin], proxy: false },
    ...options,
  });
  return { ...opened, origin, requests };
}

test("a tool of the user fetches through the service, and its receipt lists the host", async () => {
  const { session, origin } = await openWeb({ "/a": "hello" });
  const result = await session.call("send", { url: `${origin}/a` });
  expect(result.data).toMatchObject({ status: 200, body: "hello", contentType: "text/html; charset=utf-8" });
  expect(result.receipt.effects.hosts).toEqual([new URL(origin).host]);
});

test("a status other than 2xx is returned, cookies are not", async () => {
  const { session, origin } = await openWeb((_request, response) => {
    response.writeHead(404, { "set-cookie": "a=b", "x-a": "1" }).end("nothing here");
  });
  const { data } = await session.call("send", { url: origin });
  expect(data).toMatchObject({ status: 404, body: "nothing here", headers: { "x-a": "1" } });
  expect(data).not.toHaveProperty("headers.set-cookie");
});

test.each([
  ["readonly", "denied"],
  ["ask", "denied"],
  ["edit", "denied"],
] as const)("in mode %s a tool that declares nothing cannot fetch without approval", async (mode, status) => {
  const { session, origin, requests } = await openWeb({ "/": "hello" }, { permissions: { mode, allow: [] } });
  expect(await session.call("send", { url: origin })).toMatchObject({ status });
  expect(requests).toEqual([]);
});

test("a tool that declares only reading can fetch nothing", async () => {
  const quiet = defineTool({
    name: "quiet",
    description: "Says that it only reads.",
    params: { url: { type: "string" } },
    permission: () => ({ action: "read" }),
    run: ({ url }, { web }) => web.fetch(url),
  });
  const { session, origin, requests } = await openWeb(
    { "/": "hello" },
    { tools: [quiet], permissions: { mode: "ask" } },
  );
  expect(await session.call("quiet", { url: origin })).toMatchObject({
    status: "denied",
    error: { code: "approval-needed" },
  });
  expect(requests).toEqual([]);
});

test("a private address is refused in every mode", async () => {
  const { session } = await openWeb({});
  const result = await session.call("send", { url: "http://127.0.0.1:8080/" });
  expect(result).toMatchObject({ status: "denied", error: { code: "permission-denied" } });
});

test.each([
  ["not a url", /has no scheme|space/],
  ["https://user@example.com/", /user name/],
])("the URL %s is wrong input", async (url, message) => {
  const { session } = await openWeb({});
  const { error } = await session.call("send", { url });
  expect(error).toMatchObject({ code: "invalid-input", message: expect.stringMatching(message) });
});

test.each(["Host", "content-length", "Transfer-Encoding", "Proxy-Authorization", "connection"])(
  "the header %s cannot be set",
  async (name) => {
    const { session, origin, requests } = await openWeb({ "/": "hello" });
    const { error } = await session.call("send", { url: origin, options: { headers: { [name]: "x" } } });
    expect(error?.code).toBe("invalid-input");
    expect(requests).toEqual([]);
  },
);

test("a header with a line break is refused", async () => {
  const { session, origin } = await openWeb({ "/": "hello" });
  const options = { headers: { "x-a": "1\r\nhost: evil" } };
  expect((await session.call("send", { url: origin, options })).error?.code).toBe("invalid-input");
});

test("a body in another charset is decoded", async () => {
  const { session, origin } = await openWeb((_request, response) => {
    response.setHeader("content-type", "text/plain; charset=iso-8859-1").end(Buffer.from([0xfc]));
  });
  expect((await session.call("send", { url: origin })).data).toMatchObject({ body: "ü" });
});

test("a body of more than a megabyte is cut", async () => {
  const { session, origin } = await openWeb(
    (_request, response) => void response.end("a".repeat(1024 * 1024 + 1)),
  );
  const { data } = await session.call("send", { url: origin });
  expect((data as { body: string }).body).toHaveLength(1024 * 1024);
  expect(data).toMatchObject({ isCut: true });
});

test("a tool's own timeout ends its request, and the call's ends the call", async () => {
  const { session, origin } = await openWeb(() => {});
  const own = await session.call("send", { url: origin, options: { timeoutMs: 20 } });
  expect(own).toMatchObject({ status: "timed-out" });
  const whole = await session.call("send", { url: origin }, { timeoutMs: 20 });
  expect(whole).toMatchObject({ status: "timed-out" });
});

test("the user's authority is trusted besides the usual ones", async () => {
  const authority = createTestAuthority();
  const { port } = await serveWeb({ "/": "secure" }, { certificate: authority.issue(["docs.test"]) });
  const origin = `https://docs.test:${port}`;
  const web = { lookup: () => ["127.0.0.1"], origins: [origin], proxy: false } as const;
  const { session } = await openTestSession({ tools: [probe], permissions: { mode: "auto" }, web });
  expect((await session.call("send", { url: origin })).error?.message).toContain("trusted");
  const trusting = await openTestSession({
    tools: [probe],
    permissions: { mode: "auto" },
    web: { ...web, ca: authority.ca },
  });
  expect((await trusting.session.call("send", { url: origin })).data).toMatchObject({ body: "secure" });
});

test.each([
  [{ lookup: "8.8.8.8" }, "web.lookup must be a function"],
  [{ origins: ["wiki"] }, 'web.origins: "wiki" is not an origin'],
  [{ origins: ["http://wiki/path"] }, "is not an origin"],
  [{ proxyResolves: "yes" }, "web.proxyResolves must be true or false"],
  [{ ca: "corp.pem" }, "web.ca must be a certificate in PEM format"],
  [{ proxy: "socks5://proxy.example" }, "the proxy must be an http:// or https:// address"],
])("the option %j is refused when the runtime opens", async (web, message) => {
  await expect(openTestSession({ web: web as never })).rejects.toThrow(message);
});
