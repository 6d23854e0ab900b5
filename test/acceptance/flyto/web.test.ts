import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import type { SearchSettings } from "../../../src/capabilities/web/search/search-settings.ts";
import { createProviderServer, providerFormats } from "../../capabilities/web/tools/web/provider-servers.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { stopClock } from "../../support/stop-clock.ts";
import { openWeb } from "../../support/web/open-web.ts";
import { type Handler, serveWeb } from "../../support/web/test-web.ts";
import { flagsOf, reading, shareFlyto, shown } from "./share-flyto.ts";

const flyto = shareFlyto({ permissions: { mode: "auto", allow: ["@network"] } });

const answer =
  (body: string | Buffer, type = "text/html", status = 200): Handler =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": type }).end(body);

test("F49: WebFetch takes a url and a timeout in seconds, 30 unless given and 120 at most", async () => {
  expect(flagsOf(flyto.session, "WebFetch")).toEqual(reading);
  const { required, properties } = shown(flyto.session, "WebFetch").inputSchema;
  expect(required).toEqual(["url"]);
  expect(properties).toMatchObject({ timeout: { type: "integer", maximum: 120, default: 30 } });

  const asked = Promise.withResolvers<ServerResponse>();
  const { session, origin } = await openWeb({
    "/": answer("hello"),
    "/slow": (_request, response) => asked.resolve(response),
  });
  const fetchWithin = (timeout: number) => session.call("WebFetch", { url: origin, timeout });
  expect((await fetchWithin(120)).status).toBe("done");
  expect(await fetchWithin(121)).toMatchObject({ error: { code: "invalid-input" } });

  stopClock();
  let isOver = false;
  const running = session.call("WebFetch", { url: `${origin}/slow` });
  running.then(() => {
    isOver = true;
  });
  await asked.promise;
  await vi.advanceTimersByTimeAsync(29_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await running).toMatchObject({ status: "timed-out" });
});

test("F50: WebFetch gets a page as text below its title, JSON indented, no more than a megabyte, and fails where the answer is no success", async () => {
  const megabyte = 1024 * 1024;
  const { session, origin, requests } = await openWeb({
    "/page": `<!doctype html><title>Q &amp; A</title><style>p { color: red }</style><script>alert("x")</script>
      <h1>Heading</h1><p>First &eacute; &#x4E2D; &copy; part.</p><p>Second.</p><ul><li>one</li><li>two</li></ul>`,
    "/data": answer('{"a":[1,{"b":null}]}', "application/json"),
    "/whole": answer("a ".repeat(megabyte / 2), "text/plain"),
    "/long": answer(`${"a ".repeat(megabyte / 2)}b`, "text/plain"),
    "/missing": answer("<p>gone</p>", "text/html", 404),
    "/odd": answer("<p>odd</p>", "text/html", 304),
    "/made": answer("<p>made</p>", "text/html", 201),
  });
  const fetch = (path: string) => session.call("WebFetch", { url: `${origin}${path}` });
  const page = await fetch("/page");
  expect(page.text.split("\n")[0]).toBe("Q & A");
  expect(page.text).toContain("# Heading\n\nFirst é 中 © part.\n\nSecond.\n\n- one\n- two");
  expect(page.text).not.toMatch(/alert|color/);
  expect((await fetch("/data")).text).toContain('{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ]\n}');
  for (const path of ["/missing", "/odd"])
    expect(await fetch(path)).toMatchObject({ status: "failed", error: { code: "http-error" } });
  expect((await fetch("/made")).status).toBe("done");
  expect((await fetch("/whole")).data).toMatchObject({ isCut: false });
  expect((await fetch("/long")).data).toMatchObject({ isCut: true });
  expect(new Set(requests.map((request) => request.split(" ")[0]))).toEqual(new Set(["GET"]));
});

test("F51: WebSearch takes a query and max_results, 10 unless given; it searches by Google or SearXNG, and before says what is missing", async () => {
  expect(flagsOf(flyto.session, "WebSearch")).toEqual(reading);
  const { required, properties } = shown(flyto.session, "WebSearch").inputSchema;
  expect(required).toEqual(["query"]);
  expect(properties).toMatchObject({ max_results: { type: "integer", default: 10 } });
  const without = await flyto.call("WebSearch", { query: "anything" });
  expect(without).toMatchObject({ status: "failed", error: { code: "unavailable" } });
  expect(without.error?.hint).toMatch(/searxng.*google/);

  const pages = Array.from({ length: 12 }, (_, index) => ({
    title: `Page ${index}`,
    url: `https://example.com/${index}`,
    passage: "words",
  }));
  for (const format of providerFormats.filter(({ provider }) => ["searxng", "google"].includes(provider))) {
    const server = createProviderServer(format, pages);
    vi.stubEnv("F51_KEY", server.key);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { port } = await serveWeb(server.site);
    const settings: SearchSettings = {
      provider: server.provider as SearchSettings["provider"],
      url: `http://127.0.0.1:${port}`,
      keyEnv: "F51_KEY",
      ...(server.engine !== undefined && { engine: server.engine }),
    };
    const { session } = await openTestSession({
      dialect: "flyto",
      permissions: { mode: "auto", allow: ["@network"] },
      web: { proxy: false, lookup: () => ["93.184.216.34"], search: settings },
    });
    const countOf = async (more: object) => {
      const { data } = await session.call("WebSearch", { query: "pages", ...more });
      return (data as { results: unknown[] }).results.length;
    };
    expect(await countOf({})).toBe(10);
    expect(await countOf({ max_results: 3 })).toBe(3);
  }
});
