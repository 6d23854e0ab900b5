import { join } from "node:path";
import { expect, test } from "vitest";
import { type CallResult, defineTool, type RuntimeOptions, type Session } from "../../../../src/index.ts";
import { hostMatcher } from "../../../../src/kernel/policy/hosts/host-matcher.ts";
import { noSandbox } from "../../../support/no-sandbox.ts";
import { openFileSession } from "../../../support/open-file-session.ts";
import { openTestSession, temporaryFolder } from "../../../support/open-test-session.ts";

const contents = { "secrets/k.txt": "hush", "docs/a.md": "a hush", "src/b.ts": "b" };

const open = (permissions: RuntimeOptions["permissions"], options: RuntimeOptions = {}) =>
  openFileSession(contents, { ...options, permissions: { mode: "auto", ...permissions } });

test("a deny on reading hides a file from listings, searches and their counts", async () => {
  const { session } = await open({ deny: ["Read(secrets/**)", "@read(**/b.ts)"] });
  const text = async (tool: string, input: unknown) => (await session.call(tool, input)).text;
  expect(await text("search_glob", { pattern: "**" })).toMatch(/^docs\/a\.md +\(6 bytes\)$/);
  expect(await text("search_grep", { pattern: "hush" })).not.toMatch(/secrets|k\.txt/);
  const counted = await session.call("search_grep", { pattern: "hush", output_mode: "count" });
  expect(counted.text).toContain("docs/a.md:1");
  expect(counted.text).not.toMatch(/secrets|2 /);
  expect(await text("file_list", { path: ".", recursive: true })).not.toMatch(/secrets|b\.ts/);
  expect(await text("file_list", { path: "src" })).toMatch(/\/src is empty$/);
  for (const [tool, input] of [
    ["file_list", { path: "secrets" }],
    ["search_grep", { pattern: "hush", path: "secrets/k.txt" }],
    ["search_glob", { pattern: "*", path: "secrets" }],
  ] as const) {
    expect((await session.call(tool, input)).error?.code).toBe("permission-denied");
  }
});

test("a file that may not be read is not suggested in place of one that is not there", async () => {
  const { session } = await open({ deny: ["Read(secrets/k.txt)"] });
  const { error } = await session.call("file_read", { path: "secrets/kk.txt" });
  expect(error).toMatchObject({ code: "not-found", hint: expect.not.stringContaining("k.txt or") });
  expect(error?.hint).not.toContain("Did you mean");
});

test("a file that may not be listed leaves its room in a list to others", async () => {
  const listFive = defineTool({
    name: "list_five",
    description: "Lists.",
    params: {},
    traits: { readOnly: true },
    run: async (_, { files }) =>
      (await files.list("many", { maxEntries: 5 })).entries.map(({ path }) => path),
  });
  const many = Object.fromEntries([..."abcdefghij"].map((name) => [`many/${name}.txt`, ""]));
  const { session, workspace } = await openFileSession(many, {
    tools: [listFive],
    permissions: { deny: ["Read(many/[a-f].txt)"] },
  });
  expect((await session.call("list_five")).data).toEqual(
    ["g", "h", "i", "j"].map((name) => join(workspace, "many", `${name}.txt`)),
  );
});

test.each(["Edit", "Write", "NotebookEdit", "file_multi_edit", "file_patch", "@write"])(
  "%s(path) is about every change of it, whichever tool makes it, and about its preview and undo",
  async (name) => {
    const { session } = await open({ deny: [`${name}(docs/**)`], allow: ["file_write(docs/**)"] });
    const calls = [
      ["file_write", { path: "docs/a.md", content: "x" }],
      ["file_edit", { path: "docs/a.md", old_string: "a", new_string: "x" }],
      ["file_delete", { path: "docs", recursive: true }],
      ["file_move", { source: "docs", destination: "old" }],
      ["file_move", { source: "src/b.ts", destination: "docs/b.ts" }],
      ["file_copy", { source: "src", destination: "docs/src" }],
      ["file_mkdir", { path: "docs/new" }],
      ["file_gitignore", { action: "add", dir: "docs", patterns: ["x"] }],
    ] as const;
    for (const [tool, input] of calls) {
      const verdict = await session.explain(tool, input);
      expect([tool, verdict.decision, verdict.decidedBy]).toEqual([
        tool,
        "deny",
        `rule deny: ${name}(docs/**)`,
      ]);
      expect((await session.dryRun(tool, input)).status).toBe("denied");
    }
    expect((await session.call("file_read", { path: "docs/a.md" })).status).toBe("done");
  },
);

test("undoing and redoing obey a deny on writing, though the change itself was allowed", async () => {
  const folder = await temporaryFolder();
  const workspace = await temporaryFolder();
  const openWith = async (deny: readonly string[]) => {
    const options = { workspace, store: `sqlite:${folder}/records.db` };
    return openTestSession({ ...options, permissions: { mode: "auto", deny } }, { id: "same" });
  };
  const change = async (deny: readonly string[], work: (session: Session) => Promise<CallResult>) => {
    const { runtime, session } = await openWith(deny);
    const { callId, status, error } = await work(session);
    await runtime.close();
    return { callId, outcome: error?.message ?? status };
  };
  const denied = "undo was denied: rule Edit(a.md) denies it";
  const { callId } = await change([], (session) =>
    session.call("Write", { file_path: `${workspace}/a.md`, content: "b" }),
  );
  expect((await change(["Edit(a.md)"], (session) => session.undo(callId))).outcome).toBe(denied);
  expect((await change([], (session) => session.undo(callId))).outcome).toBe("done");
  expect((await change(["Edit(a.md)"], (session) => session.redo(callId))).outcome).toBe(
    denied.replace("undo", "redo"),
  );
});

test("a class is about all of its effects", async () => {
  const fetchIt = defineTool({
    name: "fetch_it",
    description: "Fetches.",
    params: { url: { type: "string" } },
    permission: ({ url }) => ({ action: "network", target: url }),
    run: () => "fetched",
  });
  const decisions = async (deny: string) => {
    const { session } = await open({ deny: [deny] }, { tools: [fetchIt] });
    const decisionOn = async (tool: string, input: unknown) => (await session.explain(tool, input)).decision;
    return {
      read: await decisionOn("file_read", { path: "src/b.ts" }),
      write: await decisionOn("file_write", { path: "src/b.ts", content: "" }),
      network: await decisionOn("fetch_it", { url: "https://example.com/a" }),
      execute: await decisionOn("shell_run", { command: "rm src/b.ts" }),
      interact: await decisionOn("todo_write", { todos: [] }),
    };
  };
  const free = { read: "allow", write: "allow", network: "allow", execute: "allow", interact: "allow" };
  // Every program reads files.
  expect(await decisions("@read")).toMatchObject({ ...free, read: "deny", execute: "ask" });
  expect(await decisions("@write")).toMatchObject({ ...free, write: "deny", execute: "deny" });
  // Only a sandbox keeps a program from the network.
  const execute = noSandbox === undefined ? "allow" : "ask";
  expect(await decisions("@network")).toMatchObject({ ...free, network: "deny", execute });
  expect(await decisions("@execute")).toMatchObject({ ...free, execute: "deny" });
  expect(await decisions("@interact")).toMatchObject({ ...free, interact: "deny" });
});

test.each([
  ["WebFetch(domain:example.com)", "https://example.com/a?b", "deny"],
  ["web_fetch(domain:Example.COM)", "example.com:443", "deny"],
  ["@network(domain:example.com)", "https://me@example.com.:8443/", "deny"],
  ["WebFetch(domain:example.com)", "www.example.com", "allow"],
  ["WebFetch(domain:*.example.com)", "a.b.example.com", "deny"],
  ["WebFetch(domain:*.example.com)", "example.com", "allow"],
  ["WebFetch(domain:*.example.com)", "badexample.com", "allow"],
  ["WebFetch(domain:*)", "example.org", "deny"],
  ["WebFetch(domain:bücher.example)", "xn--bcher-kva.example", "deny"],
  ["WebFetch(domain:127.0.0.1)", "0x7f.1", "deny"],
  ["WebFetch(domain:example.com)", "*", "ask"],
])("%s decides on %s: %s", async (rule, target, decision) => {
  const reaching = defineTool({
    name: "reach_it",
    description: "Reaches.",
    params: {},
    permission: () => ({ action: "network", target }),
    run: () => "",
  });
  const { session } = await open({ deny: [rule] }, { tools: [reaching] });
  expect((await session.explain("reach_it", {})).decision).toBe(decision);
});

test("a command is judged by the hosts it names", async () => {
  const { session } = await open({ deny: ["WebFetch(domain:evil.example)"] });
  const decisionOn = async (command: string) => (await session.explain("Bash", { command })).decision;
  expect(await decisionOn("curl -s https://evil.example/x")).toBe("deny");
  expect(await decisionOn("curl https://good.example")).toBe("allow");
  expect(await decisionOn("npm install")).toBe("ask");
});

test.each(["domain:", "domain:a b", "example.com", "domain:*.*.com", "domain:a.*.com"])(
  "WebFetch(%s) is refused as a rule",
  (pattern) => {
    expect(() => hostMatcher(pattern, "permissions.deny")).toThrow(/is not a domain; write domain:example/);
  },
);

test.each([
  ["domain:localhost:3000", "localhost:3000", "yes"],
  ["domain:localhost:3000", "http://localhost:3000/a", "yes"],
  ["domain:localhost:3000", "localhost:3001", "no"],
  ["domain:localhost:3000", "localhost", "no"],
  ["domain:localhost", "localhost:3000", "yes"],
  ["domain:*.example.com:8080", "a.example.com:8080", "yes"],
  ["domain:*.example.com:8080", "a.example.com", "no"],
  ["domain:example.com:443", "example.com", "yes"],
  ["domain:[::1]:3000", "[::1]:3000", "yes"],
])("%s and the host %s: %s", (pattern, host, match) => {
  expect(hostMatcher(pattern, "permissions.allow")(host)).toBe(match);
});

test("a rule can name a kind of sub-agent, whichever tool spawns it", async () => {
  const spawner = defineTool({
    name: "spawner",
    description: "Spawns.",
    params: {},
    traits: { readOnly: true },
    run: (_, { agents }) => agents.run({ prompt: "look", kind: "explore" }),
  });
  const { session } = await open({ deny: ["Agent(expl*)"] }, { tools: [spawner] });
  const explain = async (kind?: string) =>
    (await session.explain("agent_run", { prompt: "x", ...(kind && { kind }) })).decision;
  expect(await explain("explore")).toBe("deny");
  expect(await explain("other")).toBe("allow");
  expect(await explain()).toBe("allow");
  expect((await session.call("spawner")).error).toMatchObject({
    code: "permission-denied",
    message: expect.stringContaining("rule Agent(expl*) denies it"),
  });
});

test.each([
  ["@writes", "there is no class @writes; the classes are @read, @write, @execute, @network, @interact"],
  ["@execute(npm test)", "name the tool that runs the command"],
  ["@network(src/**)", "is not a domain"],
])("%s is refused as a rule", async (rule, why) => {
  await expect(open({ deny: [rule] })).rejects.toThrow(why);
});

test("an allow rule on reading a path lifts the floor's question for every way of reading it", async () => {
  const { session } = await openFileSession(
    { ".env": "KEY=1" },
    { permissions: { mode: "ask", allow: ["Read(.env)"] } },
  );
  for (const [tool, input] of [
    ["file_read", { path: ".env" }],
    ["search_grep", { pattern: "KEY", path: ".env" }],
    ["shell_run", { command: "cat .env" }],
  ] as const) {
    expect([tool, (await session.explain(tool, input)).decision]).toEqual([tool, "allow"]);
  }
});
