import { join } from "node:path";
import { expect, test } from "vitest";
import type { ListedTool } from "../../../src/systems/flyto/index.ts";
import { until } from "../../support/until.ts";
import { calling, openEngine, toolNamed } from "./open-engine.ts";

const namesOf = (tools: readonly ListedTool[]) => tools.map((tool) => tool.Name());
const harbour = toolNamed("Regatta", () => "planned", {
  Metadata: () => ({ ReadOnly: true, SearchHint: "boat harbour", Aliases: ["Dinghy"] }),
});

test("F72: a registered tool is there at once, for the program and for the model", async () => {
  const { engine } = await openEngine([calling("Regatta")]);
  engine.Tools().Register(harbour);
  expect(await engine.Execute("Regatta")).toMatchObject({ Output: "planned", IsError: false });
  const results = [];
  for await (const { event, data } of engine.Run("Plan it.")) if (event === "tool_result") results.push(data);
  expect(results).toMatchObject([{ name: "Regatta", output: "planned", is_error: false }]);
  expect(() => engine.Tools().Register(harbour)).toThrow("Regatta");
});

test("F71: the registry lists what is active, searches, activates, tells what is deferred and starts over", async () => {
  const { engine } = await openEngine([], { tools: [harbour] });
  const deferred = engine.Tools();
  expect(namesOf(deferred.ActiveTools())).not.toContain("Regatta");
  expect(deferred.IsDeferred("Regatta")).toBe(true);
  expect((await deferred.SearchTools("harbour")).map(({ name }) => name)).toEqual(["Regatta"]);
  expect(deferred.ActivateTool("Regatta")).toBe(true);
  expect(deferred.IsDeferred("Regatta")).toBe(false);
  expect(namesOf(deferred.ActiveTools())).toContain("Regatta");
  deferred.ResetActivations();
  expect(deferred.IsDeferred("Regatta")).toBe(true);
  expect(namesOf(deferred.List())).toEqual(expect.arrayContaining(["Regatta", "Bash", "WebFetch"]));
});

test("F4, F7: the registry shows a tool's metadata, what it can do and its level, in the document's words", async () => {
  const { engine } = await openEngine([], { tools: [harbour] });
  const write = engine.Tools().Get("FileWrite")!;
  expect([write.Name(), write.Capability(), write.SafetyLevel()]).toEqual([
    "Write",
    { DryRun: true, Reversible: true },
    2,
  ]);
  expect(engine.Tools().Get("Dinghy")?.Metadata()).toEqual({
    ConcurrencySafe: false,
    ReadOnly: true,
    Destructive: false,
    Aliases: ["Dinghy"],
    SearchHint: "boat harbour",
  });
  expect(engine.Tools().Get("Bash")?.Metadata().Destructive).toBe(true);
  expect(engine.Tools().Get("Nothing")).toBeUndefined();
});

test("F74, F75: neighbours that are safe beside others run together, and every other one alone", async () => {
  let [running, waiting] = [0, 0];
  let meeting = Promise.withResolvers<void>();
  /** Ends only when another call has come. */
  const meet = async () => {
    const { promise, resolve } = meeting;
    waiting += 1;
    if (waiting === 2) {
      [waiting, meeting] = [0, Promise.withResolvers<void>()];
      resolve();
    }
    await promise;
    return "met";
  };
  const safe = { Metadata: () => ({ ConcurrencySafe: true }) };
  const change = async () => {
    running += 1;
    await new Promise(setImmediate);
    return `alone: ${running-- === 1 && waiting === 0}`;
  };
  const { engine } = await openEngine([], {
    tools: [toolNamed("Look", meet, safe), toolNamed("Seek", meet, safe), toolNamed("Change", change)],
  });
  const uses = ["Look", "Seek", "Change", "Look", "Seek", "Change"].map((Name) => ({ Name }));
  const outcomes = await engine.ExecuteAll(uses);
  const once = ["met", "met", "alone: true"];
  expect(outcomes.map(({ Output }) => Output)).toEqual([...once, ...once]);
});

test("F5, F6: a call can be previewed, made and undone by the id in its outcome", async () => {
  const { engine, cwd } = await openEngine([], { files: { "a.txt": "one\n" } });
  const input = { file_path: join(cwd, "a.txt"), content: "two\n" };
  expect((await engine.DryRun("Write", input)).Output).toContain("+two");
  const read = async () => (await engine.Execute("Read", { file_path: input.file_path })).Output;
  expect(await read()).toContain("one");
  const { ToolUseID, Reversible } = await engine.Execute("Write", input);
  expect(Reversible).toBe(true);
  expect(await read()).toContain("two");
  expect(await engine.Undo(ToolUseID)).toMatchObject({ IsError: false });
  expect(await read()).toContain("one");
  expect(await engine.Execute("Read", { file_path: "a.txt" })).toMatchObject({
    IsError: true,
    Reversible: false,
  });
});

test("F16, F17: commands in the background are listed, looked up and cancelled by their ids", async () => {
  const { engine } = await openEngine();
  const { Output } = await engine.Execute("Bash", { command: "sleep 60", run_in_background: true });
  expect(Output).toContain("bg_task_1");
  const tasks = engine.BackgroundTasks();
  expect(await tasks.List()).toMatchObject([{ id: "bg_task_1", state: "running" }]);
  await engine.CancelBackgroundTask("bg_task_1");
  expect(await tasks.Get("bg_task_1")).toMatchObject({ state: "killed" });
});

// Longer than the 30,000 characters that a result has elsewhere.
test("F28: Read gives 2,000 lines, however long they are", async () => {
  const lines = Array.from({ length: 2001 }, (_, index) => `${index} ${"x".repeat(100)}`);
  const { engine, cwd } = await openEngine([], { files: { "long.txt": `${lines.join("\n")}\n` } });
  const { Output } = await engine.Execute("Read", { file_path: join(cwd, "long.txt") });
  const shown = Output.split("\n");
  expect(shown).toHaveLength(2001);
  expect(shown[1999]).toBe(`  2000\t${lines[1999]}`);
  expect(shown[2000]).toBe("(Showing lines 1-2000 of 2001. Continue with offset=2000.)");
});

test("F46: Glob lists every path, however long they are", async () => {
  const paths = Array.from({ length: 200 }, (_, index) => `${"d".repeat(200)}/${index}`.padEnd(250, "x"));
  const { engine, cwd } = await openEngine([], {
    files: Object.fromEntries(paths.map((path) => [path, ""])),
  });
  const { Output } = await engine.Execute("Glob", { pattern: "**/*" });
  expect(Output.length).toBeGreaterThan(40_000);
  const found = Output.split("\n").map((line) => line.replace(/ {2}\(.*\)$/, ""));
  expect(found.toSorted()).toEqual(paths.map((path) => join(cwd, path)).toSorted());
});

test("F48: Grep gives 250 lines of 500 characters", async () => {
  const lines = Array.from({ length: 251 }, () => `key${"x".repeat(496)}\n`);
  const { engine, cwd } = await openEngine([], { files: { "long.txt": lines.join("") } });
  const { Output } = await engine.Execute("Grep", { pattern: "key", path: join(cwd, "long.txt") });
  expect(Output.match(/>>key<<x{496}$/gm)).toHaveLength(250);
  expect(Output).toContain("(Showing 1-250 of 251. Continue with offset=250.)");
});

test("F56: canUseTool refuses a tool by its name in Flyto, whatever it was called by, and whoever calls", async () => {
  const asked: unknown[] = [];
  const { engine, cwd } = await openEngine([], {
    tools: [harbour],
    canUseTool: async (name, input) => {
      asked.push([name, input]);
      return name !== "Write" && name !== "Regatta";
    },
  });
  const path = join(cwd, "a.txt");
  for (const [name, input] of [
    ["Write", { file_path: path, content: "x" }],
    ["FileWrite", { file_path: path, content: "x" }],
    ["file_write", { path: "a.txt", content: "x" }],
    ["Regatta", {}],
    ["Dinghy", {}],
  ] as const)
    expect(await engine.Execute(name, input), name).toMatchObject({
      IsError: true,
      Output: expect.stringMatching(/canUseTool does not allow (Write|Regatta)/),
    });
  expect(asked[1]).toEqual(["Write", { file_path: expect.stringContaining("a.txt"), content: "x" }]);
  expect(await engine.Execute("Glob", { pattern: "*" })).toMatchObject({ IsError: false });
});

test("a permission handler decides on calls that need approval, and any answer but true refuses", async () => {
  const asked: unknown[] = [];
  const answers: unknown[] = [true, false, "yes"];
  const { engine, cwd } = await openEngine([], {
    permissionHandler: (request) => {
      asked.push(request);
      return answers.shift() as boolean;
    },
    toolwright: { permissions: { mode: "ask" } },
  });
  const write = () => engine.Execute("Write", { file_path: join(cwd, "a.txt"), content: "x" });
  expect([(await write()).IsError, (await write()).IsError, (await write()).IsError]).toEqual([
    false,
    true,
    true,
  ]);
  expect(asked[0]).toMatchObject({
    id: expect.any(String),
    tool_use_id: expect.any(String),
    tool_name: "Write",
    input: { file_path: expect.stringContaining("a.txt"), content: "x" },
    reason: expect.any(String),
  });
});

test("without a handler, a call outside a run that needs approval is refused instead of waiting for ever", async () => {
  const { engine } = await openEngine([], {
    tools: [toolNamed("Act", () => "acted")],
    toolwright: { permissions: { mode: "ask" } },
  });
  expect((await engine.Execute("Act")).IsError).toBe(true);
});

test("events of a run come as they happen, and a reply lets a waiting call go on or refuses it", async () => {
  for (const [allow, output] of [
    [true, "acted"],
    [false, expect.stringContaining("den")],
  ] as const) {
    const { engine } = await openEngine([calling("Act")], {
      tools: [toolNamed("Act", () => "acted")],
      toolwright: { permissions: { mode: "ask" } },
    });
    const seen: string[] = [];
    for await (const { event, data } of engine.Run("Go.")) {
      seen.push(event);
      if (event === "permission_request") engine.ReplyPermission(String(data.id), allow);
      if (event === "tool_result") expect(data).toMatchObject({ output, is_error: !allow });
    }
    expect(seen.filter((event) => !event.endsWith("_delta"))).toEqual([
      "turn_start",
      "tool_use",
      "permission_request",
      "tool_result",
      "turn_end",
      "turn_start",
      "text",
      "turn_end",
      "done",
    ]);
  }
});

test("a reader that leaves a run ends it, and the next run goes on with the conversation", async () => {
  let aborted = false;
  const wait = toolNamed("Wait", async (ctx, _input, progress) => {
    progress("waiting");
    await ctx.Done();
    aborted = true;
    return "late";
  });
  const { engine } = await openEngine([calling("Wait"), { text: "Hello again." }], { tools: [wait] });
  for await (const { event } of engine.Run("Go.")) if (event === "tool_progress") break;
  await until(() => aborted);
  const texts: unknown[] = [];
  for await (const { event, data } of engine.Run("And now?")) if (event === "text") texts.push(data.text);
  expect(texts).toEqual(["Hello again."]);
});

test("a run that cannot begin says why", async () => {
  const { engine } = await openEngine();
  await expect(engine.Run("").next()).rejects.toThrow("message");
  const { engine: without } = await openEngine([], { model: undefined } as object);
  await expect(without.Run("Go.").next()).rejects.toThrow("a model is needed");
});
