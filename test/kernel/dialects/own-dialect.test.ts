import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfigFile } from "../../../src/faces/cli/config/config-file.ts";
import { type DialectDefinition, openRuntime } from "../../../src/index.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

const acme = {
  name: "acme",
  tools: {
    file_read: {
      name: "open_document",
      params: {
        path: { name: "document" },
        offset: { name: "firstLine", countsFrom: 0 },
        column: null,
        encoding: null,
      },
      ownParams: { reason: { schema: { type: "string" }, isRequired: true } },
      result: { ok: { value: true }, text: "content", lines: "totalLines", from: { input: "offset" } },
    },
    search_grep: {
      name: "look_for",
      params: {
        output_mode: { name: "show", words: { content: "lines", files_with_matches: "files" } },
      },
    },
    shell_run: { name: "terminal", params: { timeout: { name: "seconds", unit: "seconds" } } },
  },
  failure: { ok: { value: false }, why: "message" },
  messages: { failed: "Sorry: {message}", unknownTool: "What is {name}?" },
  maxConcurrentCalls: 2,
} satisfies DialectDefinition;

test("a dialect of the user's own is spoken like those that are built in", async () => {
  const { session, runtime, workspace } = await openTestSession({
    dialect: acme,
    permissions: { deny: ["terminal"] },
  });
  await writeFile(join(workspace, "a.txt"), "one\ntwo\n");
  expect(session.dialect).toBe("acme");
  const read = await session.call("open_document", { document: "a.txt", firstLine: 1, reason: "to see" });
  expect(read.data).toEqual({ ok: true, text: "two", lines: 2, from: 1 });
  expect(read.receipt).toMatchObject({ tool: "file_read" });
  const found = await session.call("look_for", { pattern: "two", show: "files" });
  expect(found.text).toContain("a.txt");
  expect((await session.call("open_document", { document: "a.txt" })).error?.message).toContain(
    "$.reason is required",
  );
  expect((await session.call("open_document", { document: "b.txt", reason: "" })).data).toEqual({
    ok: false,
    why: expect.stringMatching(/^Sorry: /),
  });
  expect((await session.call("open_dokument")).error?.message).toBe("What is open_dokument?");
  expect((await session.explain("shell_run", { command: "true" })).decision).toBe("deny");
  // Beside it, a session of another dialect, and one that brings a second of its own.
  const other = { name: "other", tools: { shell_run: { name: "do_it" } } };
  const brought = await runtime.openSession({ dialect: other });
  expect((await brought.explain("do_it", { command: "true" })).decision).toBe("deny");
  expect((await runtime.openSession({ dialect: { ...other } })).dialect).toBe("other");
  await expect(runtime.openSession({ dialect: { ...other, text: "json" } })).rejects.toThrow(
    "another dialect is already called other here; give this one another name",
  );
  expect(runtime.agent({ model: "openai/gpt-5", tools: ["do_it", "open_document"] })).toBeDefined();
});

test("a session in a dialect that is no longer given is refused by its name, until it is given again", async () => {
  const store = `sqlite:${join(await temporaryFolder(), "store.db")}`;
  const workspace = await temporaryFolder();
  const withRuntime = async <Result>(
    options: object,
    work: (runtime: Awaited<ReturnType<typeof openRuntime>>) => Promise<Result>,
  ) => {
    const runtime = await openRuntime({ store, workspace, ...options });
    try {
      return await work(runtime);
    } finally {
      await runtime.close();
    }
  };
  await withRuntime({ dialect: acme }, (runtime) => runtime.openSession({ id: "one" }));
  await withRuntime({}, async (runtime) => {
    const [before] = await runtime.sessions();
    await expect(runtime.openSession({ id: "one" })).rejects.toThrow(
      "session one was last opened with the dialect acme, which is not known here; open it with the definition of acme, or with another dialect",
    );
    expect(await runtime.sessions()).toEqual([before]);
    expect((await runtime.openSession({ id: "one", dialect: acme })).dialect).toBe("acme");
  });
  await withRuntime({ dialect: acme }, async (runtime) => {
    expect((await runtime.openSession({ id: "one" })).tools()[0]?.name).toBe("open_document");
  });
});

test("a configuration file may hold a dialect", async () => {
  const file = join(await temporaryFolder(), "config.json");
  await writeFile(file, JSON.stringify({ dialect: acme }));
  const { session } = await openTestSession(await readConfigFile(file));
  expect(session.tools()[0]?.name).toBe("open_document");
});

/** The dialect with one thing changed, at a path. */
function changed(path: string, value: unknown): unknown {
  const copy = structuredClone(acme) as unknown as Record<string, unknown>;
  const keys = path.split(".");
  let inner = copy;
  for (const key of keys.slice(0, -1)) {
    inner[key] ??= {};
    inner = inner[key] as Record<string, unknown>;
  }
  Object.defineProperty(inner, keys.at(-1)!, { value, enumerable: true, configurable: true });
  return copy;
}

const wrong: [path: string, value: unknown, problem: string][] = [
  ["name", "flyto", "a dialect called flyto is built in; give yours another name"],
  ["name", "auto", "name: auto means that the dialect is chosen by the model"],
  ["name", "", "name must"],
  ["tool", {}, "tool is not allowed (did you mean tools?)"],
  ["pathPolicy", "relative", 'pathPolicy must be one of "absolute", "any"; received "relative"'],
  ["maxConcurrentCalls", 0, "maxConcurrentCalls must"],
  ["output", { maxCharacters: 10, headShare: 2 }, "output.maxCharacters must"],
  ["limitOf", () => 1, "received a value of type function"],
  ["tools.file_raed", { name: "x" }, "tools.file_raed is not a built-in tool; did you mean file_read?"],
  ["tools.constructor", { name: "x" }, "an object with the key constructor"],
  ["tools.__proto__", { name: "x" }, "__proto__"],
  ["tools.file_read.name", "terminal", "tools.shell_run: terminal is the name of another tool here"],
  ["tools.file_read.name", "a b", "tools.file_read.name must"],
  [
    "tools.file_read.name",
    "Bash",
    "tools.file_read: Bash is a name of shell_run, and rules on it would mean both",
  ],
  ["tools.file_read.name", "file_edit", "tools.file_read: file_edit is a name of file_edit"],
  ["tools.file_read.aliases", ["bash_run"], "tools.file_read: bash_run is a name of shell_run"],
  ["tools.file_read.name", "mcp__a__b", "names that begin with mcp_ belong to MCP servers"],
  ["tools.file_read.parms", {}, "tools.file_read.parms is not allowed (did you mean params?)"],
  ["tools.file_read.params.pth", {}, "tools.file_read.params.pth is not a parameter; did you mean path?"],
  ["tools.file_read.params.toString", {}, "tools.file_read.params.toString is not a parameter"],
  ["tools.file_read.params.path", null, "tools.file_read.params.path is required, so it cannot be hidden"],
  ["tools.file_read.params.path.countsFrom", 0, "is not a number that could be counted otherwise"],
  ["tools.file_read.params.path.isNegated", true, "isNegated needs a boolean"],
  ["tools.file_read.params.path.name", "limit", "tools.file_read: two parameters are called limit"],
  ["tools.file_read.params.path.name", "constructor", "no parameter can be called constructor"],
  ["tools.file_read.params.limit", { default: -1 }, "tools.file_read: the default of limit cannot be -1"],
  ["tools.file_read.params.limit", { fixed: "x" }, 'params.limit.fixed: the tool does not accept "x"'],
  ["tools.file_read.params.path.items", {}, "params.path.items: the parameter is not a list of objects"],
  ["tools.file_read.ownParams.limit", { schema: {} }, "two parameters are called limit"],
  ["tools.file_read.ownParams.more", { schema: { type: "txt" } }, "ownParams.more.schema: "],
  [
    "tools.file_read.ownParams.more",
    { schema: {}, appendsTo: "pth" },
    "appendsTo: pth is not a parameter that takes a text; did you mean path?",
  ],
  ["tools.search_grep.params.output_mode.words", { contnt: "x" }, "contnt is not one of"],
  ["tools.search_grep.params.output_mode.words", { content: "count" }, "count would stand for two choices"],
  ["tools.search_grep.params.pattern", { words: { a: "b" } }, "the parameter has no fixed choice"],
  ["tools.file_read.result.text", "contents", "the tool returns no contents; did you mean content?"],
  ["tools.file_read.result.text", "content.deep", "the tool returns no content.deep"],
  ["tools.file_read.result.text", { input: "ofset" }, "ofset is not a parameter; did you mean offset?"],
  ["tools.file_read.result.text", { vale: 1 }, "vale"],
  ["tools.search_grep.result", { hits: { list: "matches", item: "txt" } }, "the tool returns no txt"],
  ["tools.search_grep.result", { hits: { list: "nothing", item: "x" } }, "the tool returns no nothing"],
  ["tools.file_read.result.valueOf", "content", "no field can be called valueOf"],
  ["failure.why", "massage", "failure.why: the tool returns no massage; did you mean message?"],
  ["messages.failed", "Sorry.", "messages.failed must"],
  ["prefixes", { folders: "x_" }, "prefixes.folders is not allowed (did you mean folder?)"],
];

test("a mistake in a dialect is told when the dialect is given, with its place and the nearest name", async () => {
  const { runtime } = await openTestSession();
  for (const [path, value, problem] of wrong) {
    const dialect = changed(path, value) as DialectDefinition;
    await expect(runtime.openSession({ dialect }), `${path} = ${JSON.stringify(value)}`).rejects.toThrow(
      problem,
    );
  }
  for (const dialect of [null, [], () => acme])
    await expect(runtime.openSession({ dialect: dialect as never })).rejects.toThrow(TypeError);
  await expect(openRuntime({ dialect: changed("tool", 1) as never })).rejects.toThrow(
    'the dialect "acme" is invalid',
  );
  expect((await runtime.sessions()).length).toBe(1);
});
