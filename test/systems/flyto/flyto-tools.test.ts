import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RuntimeOptions } from "../../../src/index.ts";
import {
  type AnyTool,
  type Context,
  flytoTools,
  type PlainTool,
  type ProgressFunc,
  type Result,
  type Tool,
  WorkdirFromContext,
} from "../../../src/systems/flyto/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";

/** As Flyto's users write a tool: a type with the methods of the interface. */
class MyTool implements Tool {
  Name() {
    return "MyTool";
  }
  Description() {
    return "Does something";
  }
  InputSchema() {
    return `{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}`;
  }
  Execute(_ctx: Context, input: object, progress: ProgressFunc): Result {
    const params: { input: string } = JSON.parse(String(input));
    progress("working");
    return { Output: `result: ${params.input}` };
  }
  Metadata() {
    return { ConcurrencySafe: true, ReadOnly: true, SearchHint: "my custom tool keyword" };
  }
}

/** The same, as TypeScript's users write it. */
const myTool: PlainTool = {
  name: "MyTool",
  description: "Does something",
  inputSchema: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
  metadata: { concurrencySafe: true, readOnly: true, searchHint: "my custom tool keyword" },
  async execute(_ctx, { input }, progress) {
    progress("working");
    return { output: `result: ${input}` };
  },
};

function openWith(tools: readonly AnyTool[], options: RuntimeOptions = {}) {
  return openTestSession({ permissions: { mode: "auto" }, tools: flytoTools(tools), ...options });
}

/** A tool that does one thing, with other methods where a test needs them. */
function toolThat(Execute: Tool["Execute"], more: Partial<Tool> = {}): Tool {
  return {
    Name: () => "It",
    Description: () => "Does it.",
    InputSchema: () => ({ type: "object", properties: { text: { type: "string" } } }),
    Execute,
    ...more,
  };
}

test("F1: a tool in the document's words, or in TypeScript's casing, runs as it is, and its input is checked", async () => {
  for (const tool of [new MyTool(), myTool]) {
    const { session } = await openWith([tool]);
    const seen: unknown[] = [];
    const onProgress = (update: unknown) => void seen.push(update);
    expect(await session.call("MyTool", { input: "x" }, { onProgress })).toMatchObject({
      status: "done",
      text: "result: x",
    });
    expect(seen).toEqual(["working"]);
    expect((await session.call("MyTool", {})).error?.code).toBe("invalid-input");
    const shown = session.tools().find(({ name }) => name === "MyTool");
    expect(shown).toMatchObject({
      description: "Does something",
      metadata: { concurrencySafe: true, readOnly: true, searchHint: "my custom tool keyword" },
    });
  }
});

test("F2: a tool's metadata holds: its other names, the words that find it, and that it may destroy", async () => {
  const Metadata = () => ({ Destructive: true, Aliases: ["That"], SearchHint: "marmalade" });
  const { session } = await openWith([toolThat(() => "done", { Metadata })]);
  expect((await session.call("That")).receipt.tool).toBe("It");
  expect(await session.searchTools("marmalade")).toMatchObject([{ name: "It" }]);
  expect(session.tools().find(({ name }) => name === "It")?.annotations.destructiveHint).toBe(true);
});

test("F3: a result has an output for the model and data for code, and says if it is an error", async () => {
  const results: Record<string, Result> = {
    data: { Output: "three", Data: { count: 3 } },
    error: { Output: "no such thing", IsError: true, Data: { tried: 2 } },
    none: { Output: "" },
  };
  const { session } = await openWith([toolThat((_ctx, { text }) => results[String(text)]!)]);
  const { status, text, data } = await session.call("It", { text: "data" });
  expect([status, text, data]).toEqual(["done", "three", { count: 3 }]);
  expect(await session.call("It", { text: "error" })).toMatchObject({
    status: "failed",
    text: "no such thing",
    error: { code: "tool-failed", message: "no such thing" },
  });
  expect(await session.call("It", { text: "none" })).toMatchObject({ status: "done", text: "" });
  expect(await session.call("It", { text: "?" })).toMatchObject({ error: { code: "invalid-output" } });
});

test("F4, F7: the catalogue has the level of a tool by what it can do: nothing, undo, or preview and undo", async () => {
  const DryRun = () => "would";
  const GenerateUndo = () => undefined;
  const levelOf = async (more: Partial<Tool>) => {
    const { session } = await openWith([toolThat(() => "done", more)]);
    return session.tools().find(({ name }) => name === "It")?.annotations.safetyLevel;
  };
  expect(await levelOf({})).toBe(0);
  expect(await levelOf({ DryRun })).toBe(0);
  expect(await levelOf({ GenerateUndo })).toBe(1);
  expect(await levelOf({ Capability: () => ({ Reversible: true }) })).toBe(1);
  expect(await levelOf({ DryRun, GenerateUndo })).toBe(2);
});

test("F5: DryRun tells what a call would do, and Execute is not called", async () => {
  const ran: unknown[] = [];
  const tool = toolThat((_ctx, input) => String(ran.push(input)), {
    DryRun: (_ctx, { text }) => ({ Output: `It would do ${text}.`, Files: 2 }),
  });
  const { session } = await openWith([tool]);
  const { status, text, data, receipt } = await session.dryRun("It", { text: "that" });
  expect([status, text, receipt.isDryRun]).toEqual(["done", "It would do that.", true]);
  expect(data).toMatchObject({ Files: 2 });
  expect(ran).toEqual([]);
});

const rename: Tool = toolThat((_ctx, { text }) => ({ Output: "renamed", Data: { before: `old ${text}` } }), {
  // Right after the call, with what it was given and what it returned.
  GenerateUndo: (_ctx, { text }, { Data }) => ({
    ToolName: "Restore",
    Input: { text: `${text} to ${(Data as { before: string }).before}` },
  }),
});

test("F6: undo makes the call that GenerateUndo names, judged and recorded by itself, also after a restart", async () => {
  const restored: unknown[] = [];
  const restore = toolThat((_ctx, { text }) => String(restored.push(text)), { Name: () => "Restore" });
  const { session, runtime } = await openWith([rename, restore]);
  const { callId, receipt } = await session.call("It", { text: "a" });
  expect(receipt.undo).toEqual(expect.any(String));
  await session.close();
  const again = await runtime.openSession({ id: session.id });
  expect((await again.undo(callId)).status).toBe("done");
  expect(restored).toEqual(["a to old a"]);
  expect((await runtime.receipts()).map(({ tool }) => tool)).toEqual(["undo", "Restore", "It"]);
  expect((await again.undo(callId)).error?.code).toBe("conflict");
});

test("F6: an undo by a call that is not allowed changes nothing, and can be made later", async () => {
  let mayRestore = false;
  const restored: unknown[] = [];
  const restore = toolThat((_ctx, { text }) => String(restored.push(text)), { Name: () => "Restore" });
  const { session } = await openWith([rename, restore], {
    hooks: {
      beforeCall: ({ tool }) =>
        tool === "Restore" && !mayRestore ? { decision: "deny", reason: "not today" } : undefined,
    },
  });
  const { callId } = await session.call("It", { text: "a" });
  const denied = await session.undo(callId);
  expect(denied).toMatchObject({
    status: "denied",
    error: { message: expect.stringContaining("not today") },
  });
  expect(restored).toEqual([]);
  mayRestore = true;
  expect((await session.undo(callId)).status).toBe("done");
  expect(restored).toHaveLength(1);
});

test("F6: a built-in tool can be the one that reverts a call, by the names of the session's dialect", async () => {
  const tool = toolThat(
    async (ctx) => {
      const { text } = await ctx.toolwright.files.readText("a.txt");
      const path = join(WorkdirFromContext(ctx), "a.txt");
      await ctx.toolwright.files.writeText("a.txt", "changed\n");
      return {
        Output: "changed",
        UndoInfo: { ToolName: "Write", Input: { file_path: path, content: text } },
      };
    },
    { Capability: () => ({ Reversible: true, UndoMethod: "tool" }) },
  );
  const { session, workspace } = await openWith([tool], { dialect: "flyto" });
  await session.call("Write", { file_path: join(workspace, "a.txt"), content: "before\n" });
  const { callId } = await session.call("It");
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("changed\n");
  expect((await session.undo(callId)).status).toBe("done");
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("before\n");
});

test.each<[string, NonNullable<Tool["GenerateUndo"]>, string]>([
  ["names no call", () => undefined, "did not say how to undo"],
  ["can only say what a person has to do", () => ({ Description: "Ring Ann." }), "only by hand: Ring Ann."],
  [
    "fails",
    () => {
      throw new Error("no idea");
    },
    "did not say how to undo",
  ],
  ["names an input that is no JSON", () => ({ ToolName: "It", Input: 1n }), "did not say how to undo"],
])(
  "a call whose GenerateUndo %s is done, and its undo says why it cannot be",
  async (_, GenerateUndo, why) => {
    const { session } = await openWith([toolThat(() => "done", { GenerateUndo })]);
    const { status, callId } = await session.call("It");
    expect(status).toBe("done");
    expect(await session.undo(callId)).toMatchObject({
      status: "failed",
      error: { code: "unavailable", message: expect.stringContaining(why) },
    });
  },
);

test("F54: a tool and its description know the folder that they work in", async () => {
  const tool = toolThat((ctx) => WorkdirFromContext(ctx), { Description: (ctx) => WorkdirFromContext(ctx) });
  const { session, workspace } = await openWith([tool]);
  expect((await session.call("It")).text).toBe(workspace);
  expect(session.tools().find(({ name }) => name === "It")?.description).toBe(workspace);
});

test("a tool that never ends is given up on time, and its context says so", async () => {
  const seen = Promise.withResolvers<Context>();
  const { session } = await openWith([
    toolThat((ctx) => {
      seen.resolve(ctx);
      return new Promise<never>(() => {});
    }),
  ]);
  const calling = session.call("It", {}, { timeoutMs: 30 });
  const ctx = await seen.promise;
  expect(ctx.Err()).toBeUndefined();
  expect(ctx.Deadline().getTime()).toBeGreaterThan(Date.now());
  await ctx.Done();
  expect(ctx.Err()).toBeInstanceOf(Error);
  expect(ctx.signal.aborted).toBe(true);
  expect((await calling).status).toBe("timed-out");
});

test("a call of a tool that does not only read is judged, and leaves a receipt even when it is refused", async () => {
  let ran = 0;
  const { session, runtime } = await openWith([toolThat(() => String(++ran))], {
    permissions: { mode: "ask" },
  });
  expect((await session.call("It")).error?.code).toBe("approval-needed");
  expect(ran).toBe(0);
  expect(await runtime.receipts()).toMatchObject([{ tool: "It", status: "denied" }]);
});

test.each<[string, object, string]>([
  ["no Execute", { Execute: undefined }, "It: Execute must be a function"],
  ["a schema that is no JSON", { InputSchema: () => "{" }, "It: InputSchema returns a text that is not JSON"],
  ["no schema", { InputSchema: () => null }, "It: InputSchema must return a JSON Schema"],
])("an object with %s is refused when it is brought in", (_, more, message) => {
  expect(() => flytoTools([{ ...toolThat(() => "x"), ...more } as Tool])).toThrow(message);
});
