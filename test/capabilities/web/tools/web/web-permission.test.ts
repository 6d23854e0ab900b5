import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineTool } from "../../../../../src/tool/define-tool.ts";
import { projectFolder } from "../../../../architecture/project-files.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";
import { openWeb } from "../../../../support/web/open-web.ts";
import { serveWeb } from "../../../../support/web/test-web.ts";

interface Row {
  readonly id: string;
  readonly url: string;
  readonly reached: boolean;
  readonly domains?: readonly string[];
  readonly because: string;
}

const text = await readFile(join(projectFolder, "test/fixtures/web-addresses.jsonl"), "utf8");
const rows = text
  .trim()
  .split("\n")
  .map((line): Row => JSON.parse(line))
  .filter(({ domains }) => domains !== undefined);

test.each(rows)(
  "$id: a rule for $domains decides on $url ($because)",
  async ({ url, reached, domains = [] }) => {
    const allow = domains.map((domain) => `WebFetch(domain:${domain})`);
    const { session } = await openTestSession({ permissions: { mode: "ask", allow } });
    const { decision } = await session.explain("WebFetch", { url });
    expect(decision).toBe(reached ? "allow" : "ask");
  },
);

test.each([
  "http://127.0.0.1:8080/",
  "http://localhost:3000/",
  "http://2130706433/",
  "http://[::1]/",
  "http://10.0.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://[::ffff:10.0.0.1]/",
])("explain denies %s in every mode, by the floor", async (url) => {
  for (const mode of ["ask", "auto"] as const) {
    const { session } = await openTestSession({
      permissions: { mode, allow: ["WebFetch", "WebFetch(domain:*)"] },
    });
    expect(await session.explain("WebFetch", { url })).toMatchObject({
      decision: "deny",
      decidedBy: "floor",
    });
    expect(await session.call("WebFetch", { url })).toMatchObject({ status: "denied" });
  }
});

test("a rule that names localhost, with or without its port, lets a development server be read", async () => {
  const { port, requests } = await serveWeb({ "/": "<p>dev server</p>" });
  const url = `http://localhost:${port}/`;
  for (const rule of [
    "WebFetch(domain:localhost)",
    `WebFetch(domain:localhost:${port})`,
    `@network(domain:localhost)`,
  ]) {
    const { session } = await openTestSession({
      permissions: { mode: "ask", allow: [rule] },
      web: { proxy: false },
    });
    expect(await session.explain("WebFetch", { url })).toMatchObject({ decision: "allow" });
    expect((await session.call("WebFetch", { url })).text).toContain("dev server");
  }
  const other = [
    `WebFetch(domain:localhost:${port + 1})`,
    "WebFetch(domain:*)",
    "WebFetch",
    "WebFetch(domain:127.0.0.1)",
  ];
  const { session } = await openTestSession({ permissions: { mode: "auto", allow: other } });
  expect(await session.call("WebFetch", { url })).toMatchObject({ status: "denied" });
  // Nothing is kept of a development server.
  expect(requests).toHaveLength(3);
});

test("a rule for a public name does not open a private network to its owner", async () => {
  const { session } = await openTestSession({
    permissions: { mode: "auto", allow: ["WebFetch(domain:example.com)"] },
    web: { lookup: () => ["127.0.0.1"], proxy: false },
  });
  const { error } = await session.call("WebFetch", { url: "http://example.com/" });
  expect(error).toMatchObject({
    code: "permission-denied",
    message: expect.stringContaining("leads to 127.0.0.1"),
  });
});

test("an origin of the user's configuration is asked about like any other", async () => {
  const { session, origin } = await openWeb({ "/": "hello" }, { permissions: { mode: "ask" } });
  expect(await session.explain("WebFetch", { url: origin })).toMatchObject({ decision: "ask" });
  const web = { origins: ["http://localhost:8080"] };
  const local = await openTestSession({ permissions: { mode: "ask" }, web });
  expect(await local.session.explain("WebFetch", { url: "http://localhost:8080/" })).toMatchObject({
    decision: "ask",
  });
  expect(await local.session.explain("WebFetch", { url: "http://localhost:8081/" })).toMatchObject({
    decision: "deny",
  });
});

test("a deny rule for a host holds whatever tool fetches it, and in auto mode", async () => {
  const quiet = defineTool({
    name: "quiet",
    description: "Declares one host and fetches another.",
    params: { url: { type: "string" } },
    permission: () => ({ action: "network", target: "example.com" }),
    run: ({ url }, { web }) => web.fetch(url),
  });
  const { port } = await serveWeb({ "/": "hello" });
  const host = `docs.test:${port}`;
  const { session } = await openTestSession({
    tools: [quiet],
    permissions: { mode: "auto", deny: ["WebFetch(domain:docs.test)"] },
    web: { lookup: () => ["127.0.0.1"], origins: [`http://${host}`], proxy: false },
  });
  for (const name of ["quiet", "WebFetch"])
    expect(await session.call(name, { url: `http://${host}/` })).toMatchObject({ status: "denied" });
});

test("approval of one call lets it fetch its page", async () => {
  const asked: unknown[] = [];
  const { session, origin } = await openWeb(
    { "/": "<p>approved</p>" },
    {
      permissions: { mode: "ask" },
      onApproval: ({ input }) => {
        asked.push(input);
        return "allow";
      },
    },
  );
  expect((await session.call("WebFetch", { url: `${origin}/` })).text).toContain("approved");
  expect(asked).toMatchObject([{ url: `${origin}/` }]);
});
