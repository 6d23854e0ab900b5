import { expect, onTestFinished, test, vi } from "vitest";
import { openRuntime, type RuntimeOptions } from "../../../../../src/index.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";
import { type Handler, serveWeb } from "../../../../support/web/test-web.ts";
import { createProviderServer, type KnownPage, providerFormats } from "./provider-servers.ts";

const pages: readonly KnownPage[] = [
  {
    title: "Q & A",
    url: "https://docs.example.com/a",
    passage: "It's the answer & more.",
    date: "2026-03-04",
  },
  { title: "Second", url: "https://other.example.org/b", passage: "Another passage." },
  { title: "Near miss", url: "https://notexample.com/c", passage: "Looks like the first." },
];

/** A session whose searches go to a server on this machine, which is not a public address. */
async function openSearch(
  site: Handler,
  { provider, engine }: { provider: string; engine?: string },
  options: RuntimeOptions = {},
) {
  const { port, requests } = await serveWeb(site);
  const url = `http://127.0.0.1:${port}`;
  const search = { provider, url, keyEnv: "TEST_SEARCH_KEY", ...(engine !== undefined && { engine }) };
  const opened = await openTestSession({
    permissions: { mode: "auto", allow: ["@network"] },
    web: { proxy: false, lookup: () => ["93.184.216.34"], search },
    ...options,
  });
  return { ...opened, url, requests };
}

function setKey(key: string | undefined): void {
  vi.stubEnv("TEST_SEARCH_KEY", key);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test.each(providerFormats)(
  "$provider is asked in its own format, and its results are read",
  async (format) => {
    const server = createProviderServer(format, pages);
    setKey(server.key);
    const { session } = await openSearch(server.site, server);
    const result = await session.call("WebSearch", { query: "the question" });
    expect(result.data).toEqual({
      query: "the question",
      results: [
        { title: "Q & A", url: pages[0]?.url, snippet: "It's the answer & more.", date: "2026-03-04" },
        { title: "Second", url: pages[1]?.url, snippet: "Another passage." },
        { title: "Near miss", url: pages[2]?.url, snippet: "Looks like the first." },
      ],
    });
    expect(result.text).toContain("3 results");
    expect(result.text).toContain(
      "1. Q & A\n   https://docs.example.com/a\n   2026-03-04\n   It's the answer",
    );
    expect(server.asked).toMatchObject([{ query: "the question" }]);
    expect(server.asked[0]?.count ?? 10).toBe(10);
  },
);

test.each(providerFormats)("$provider keeps to the domains, and we check that it does", async (format) => {
  const server = createProviderServer(format, pages);
  setKey(server.key);
  const { session } = await openSearch(server.site, server);
  const input = {
    query: "q",
    allowed_domains: ["example.com", "example.org"],
    blocked_domains: ["other.example.org"],
  };
  const { data } = await session.call("WebSearch", input);
  expect(data).toMatchObject({ results: [{ url: "https://docs.example.com/a" }] });
  const [asked] = server.asked;
  const isAsked =
    asked?.allowed === undefined
      ? asked?.query === "q (site:example.com OR site:example.org) -site:other.example.org"
      : asked.allowed.length === 2 && asked.blocked?.[0] === "other.example.org";
  expect(isAsked).toBe(true);
});

test.each(providerFormats)("$provider may find nothing", async (format) => {
  const server = createProviderServer(format, []);
  setKey(server.key);
  const { session } = await openSearch(server.site, server);
  expect((await session.call("WebSearch", { query: "q" })).text).toBe('No results for "q".');
});

test.each(providerFormats.filter(({ key }) => key !== undefined))(
  "$provider refuses a wrong key, which is not shown, and a missing one is not even sent",
  async (format) => {
    const server = createProviderServer(format, pages);
    setKey("wrong-key");
    const { session, requests } = await openSearch(server.site, server);
    const { error, text } = await session.call("WebSearch", { query: "q" });
    expect(error).toMatchObject({ code: "unavailable", retryable: false });
    expect(error?.message).toContain("refused access (HTTP 401");
    expect(error?.hint).toContain("TEST_SEARCH_KEY");
    expect(text).not.toContain("wrong-key");
    vi.stubEnv("TEST_SEARCH_KEY", undefined);
    const sent = requests.length;
    const missing = await session.call("WebSearch", { query: "q" });
    expect(missing.error?.message).toContain("needs an API key");
    expect(requests).toHaveLength(sent);
  },
);

test("without configuration, the message says how to set up a service", async () => {
  const { session } = await openTestSession({ permissions: { mode: "auto", allow: ["@network"] } });
  const { error } = await session.call("WebSearch", { query: "q" });
  expect(error).toMatchObject({ code: "unavailable", message: "no search service is configured" });
  expect(error?.hint).toContain("searxng, tavily, brave, google, exa");
});

const misbehaviour: readonly [string, Handler, RegExp, boolean][] = [
  ["too many searches", status(429), /too many searches \(HTTP 429\)/, true],
  ["a failing server", status(503), /failed \(HTTP 503\)/, true],
  ["a redirect elsewhere", redirect, /did not accept the search \(HTTP 302\)/, false],
  ["text instead of JSON", respond("<html>hello</html>"), /could not be read/, true],
  ["JSON of another shape", respond('{"results": {"a": 1}}'), /could not be read/, true],
  ["JSON without an end", respond('{"results": ['), /could not be read/, true],
  ["a number", respond("7"), /could not be read/, true],
  ["two megabytes", respond(`{"results": [], "x": "${"y".repeat(2_000_000)}"}`), /could not be read/, true],
];

test.each(misbehaviour)("%s is told in one sentence", async (_name, site, message, retryable) => {
  const { session } = await openSearch(site, { provider: "searxng" });
  const { status: ended, error } = await session.call("WebSearch", { query: "q" });
  expect(ended).toBe("failed");
  expect(error).toMatchObject({ code: "unavailable", message: expect.stringMatching(message), retryable });
});

test("results that are not web addresses, or come twice, are left out", async () => {
  const odd = [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "not an address",
    "https://a.example/",
    "https://a.example/",
  ];
  const results = [...odd.map((url) => ({ url, title: `t\u202e ${url}`, content: "a\u200b\nb" })), null, 7];
  const { session } = await openSearch(respond(JSON.stringify({ results })), { provider: "searxng" });
  const { data } = await session.call("WebSearch", { query: "q" });
  expect(data).toMatchObject({
    results: [{ url: "https://a.example/", title: "t https://a.example/", snippet: "a b" }],
  });
});

test("a slow service ends with the call", async () => {
  const { session } = await openSearch(() => {}, { provider: "searxng" });
  const stop = new AbortController();
  const call = session.call("WebSearch", { query: "q" }, { signal: stop.signal });
  stop.abort();
  expect((await call).status).toBe("cancelled");
});

test("searching is asked about once, and its host stands in the receipt", async () => {
  const asked: string[] = [];
  const onApproval: RuntimeOptions["onApproval"] = ({ verdict }) => {
    asked.push(verdict.permissionClass);
    return "allow";
  };
  const { session, url } = await openSearch(
    respond('{"results": []}'),
    { provider: "searxng" },
    { permissions: { mode: "ask" }, onApproval },
  );
  const { status: ended, receipt } = await session.call("WebSearch", { query: "q" });
  expect(ended).toBe("done");
  expect(asked).toEqual(["network"]);
  expect(receipt.effects.hosts).toEqual([new URL(url).host]);
});

test.each([
  [{ provider: "bing" }, "web.search.provider must be one of searxng"],
  [{ provider: "searxng" }, "web.search.url must say where SearXNG answers"],
  [{ provider: "searxng", url: "search.example" }, "web.search.url must be an address"],
  [{ provider: "google" }, "web.search.engine must be the id"],
  [{ provider: "exa", keyEnv: "sk-123 456" }, "web.search.keyEnv must be the name"],
  [{ provider: "exa", key: "secret" }, "web.search.key is not an option"],
])("settings that cannot work are refused when the runtime opens: %j", async (search, message) => {
  await expect(openRuntime({ store: "memory:", web: { search } })).rejects.toThrow(message);
});

function status(code: number): Handler {
  return (_request, response) => void response.writeHead(code).end("no");
}

function respond(body: string): Handler {
  return (_request, response) => void response.writeHead(200).end(body);
}

function redirect(_request: unknown, response: Parameters<Handler>[1]): void {
  response.writeHead(302, { location: "https://example.com/search" }).end();
}
