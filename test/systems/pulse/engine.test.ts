import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type ScriptedStep, scriptedModel } from "../../../src/capabilities/agents/index.ts";
import {
  Engine,
  type EngineOptions,
  type EnginePlugin,
  type Tool,
} from "../../../src/systems/pulse/index.ts";
import { openFileSession } from "../../support/open-file-session.ts";

const calling = (name: string, input: object): ScriptedStep => ({ calls: [{ name, input }] });

/** An engine on a workspace with one file, whose model says these things. */
async function openEngine(steps: readonly ScriptedStep[], options: Partial<EngineOptions> = {}) {
  const { workspace } = await openFileSession({ "a.txt": "one\n" });
  const left = [...steps];
  const engine = new Engine({
    model: scriptedModel(() => left.shift() ?? { text: "Done." }),
    ...options,
    toolwright: { workspace, store: "memory:", permissions: { mode: "auto" }, ...options.toolwright },
  });
  onTestFinished(() => engine.close());
  /** How the calls ended, in order. */
  const ends = async () => {
    const session = await engine.session();
    await session.close();
    const found: [string, string][] = [];
    for await (const event of session.events())
      if (event.type === "call-end") found.push([event.receipt.status, event.text]);
    return found;
  };
  return { engine, workspace, ends };
}

const echo: Tool<{ text: string }> = {
  name: "echo",
  description: "Says it again.",
  inputSchema: z.object({ text: z.string() }),
  execute: async ({ text }) => text,
};

test("P1, P12: a tool is a schema and a function, and its input is checked", async () => {
  const { engine, ends } = await openEngine(
    [calling("echo", { text: "hi" }), calling("echo", { text: {} })],
    {
      tools: { echo },
    },
  );
  expect(await engine.run("Go.")).toBe("Done.");
  expect(await ends()).toEqual([
    ["done", "hi"],
    ["failed", expect.stringContaining("text must be a string")],
  ]);
});

test("P2: a plugin's tool takes the place of a built-in one, and one of the options that of both", async () => {
  const named = (answer: string): Tool =>
    ({ ...echo, inputSchema: z.object({}), execute: async () => answer }) as Tool;
  const plugin: EnginePlugin = {
    name: "both",
    initialize(context) {
      context.registerTool("ls", named("the plugin's"));
      context.registerTools({ echo: named("the plugin's") });
    },
  };
  const { engine, ends } = await openEngine([calling("ls", {}), calling("echo", {})], {
    enginePlugins: { plugins: [plugin] },
    tools: { echo: { ...named("the option's"), name: "echo" } },
  });
  await engine.run("Go.");
  expect(await ends()).toEqual([
    ["done", "the plugin's"],
    ["done", "the option's"],
  ]);
});

test("P3, P13, P14, P15: the built-in tools are there by their names, and their limits hold", async () => {
  const { engine, workspace } = await openEngine([]);
  const session = await engine.session();
  const tools = new Map(session.tools().map((tool) => [tool.name, tool]));
  for (const name of ["read", "write", "edit", "grep", "ls", "bash", "clarify"])
    expect([...tools.keys()]).toContain(name);
  expect(JSON.stringify(tools.get("write")?.inputSchema)).toMatch(/absolute/i);
  const filePath = join(workspace, "a.txt");
  const refused = [
    await session.call("bash", { command: "true", timeout: 600_001 }),
    await session.call("edit", { filePath, oldString: "one", newString: "one" }),
  ];
  expect(refused.map(({ status }) => status)).toEqual(["failed", "failed"]);
});

test("P11: hooks see and change the input and the output of every tool in Pulse's words, and one that throws stops the call", async () => {
  const seen: unknown[] = [];
  const { engine, workspace, ends } = await openEngine(
    [calling("read", { filePath: "b.txt" }), calling("bash", { command: "touch x" })],
    {
      hooks: {
        beforeToolCall({ name, input }) {
          seen.push([name, input]);
          if (name === "bash") throw new Error("no commands today");
          return { input: { filePath: join(workspaceOf(), "a.txt") } };
        },
        afterToolCall: ({ output }) => ({ output: { ...(output as object), checked: true } }),
      },
    },
  );
  function workspaceOf() {
    return workspace;
  }
  await engine.run("Go.");
  const [read, bash] = await ends();
  expect(seen).toEqual([
    ["read", { filePath: "b.txt" }],
    ["bash", { command: "touch x" }],
  ]);
  expect(JSON.parse(read![1])).toMatchObject({ content: expect.stringContaining("one"), checked: true });
  expect(bash).toEqual(["denied", expect.stringContaining("no commands today")]);
});

test("P17, P18: a tool can ask the user, and hears when it is aborted; with nobody to ask it fails at once", async () => {
  const ask: Tool = {
    name: "ask",
    description: "Asks.",
    inputSchema: z.object({}),
    async execute(_, { onClarificationRequest, abortSignal }) {
      const answer = await onClarificationRequest({
        question: "Which?",
        context: "Of two.",
        defaultAnswer: "b",
      });
      return `${answer} ${abortSignal.aborted}`;
    },
  };
  const asked: unknown[] = [];
  const answered = await openEngine([calling("ask", {})], { tools: { ask } });
  await answered.engine.run("Go.", {
    onClarificationRequest: (request) => {
      asked.push(request);
      return "a";
    },
  });
  expect(asked).toEqual([{ question: "Which?\n\nOf two.", defaultAnswer: "b" }]);
  expect(await answered.ends()).toEqual([["done", "a false"]]);

  const alone = await openEngine([calling("ask", {})], { tools: { ask } });
  await alone.engine.run("Go.");
  expect(await alone.ends()).toEqual([["failed", expect.any(String)]]);

  const stuck = Promise.withResolvers<AbortSignal>();
  const wait: Tool = {
    ...ask,
    name: "wait",
    execute: (_, { abortSignal }) => {
      stuck.resolve(abortSignal);
      return new Promise(() => {});
    },
  };
  const cancelled = await openEngine([calling("wait", {})], { tools: { wait } });
  const abort = new AbortController();
  const running = cancelled.engine.run("Go.", { abortSignal: abort.signal });
  const signal = await stuck.promise;
  abort.abort();
  await running;
  expect(signal.aborted).toBe(true);
});

test("hooks around a run and around the model see what is said, limit the tools and set the instructions", async () => {
  const seen: unknown[] = [];
  const plugin: EnginePlugin = {
    name: "watcher",
    initialize({ registerHook, getService }) {
      registerHook("beforeRun", ({ context, tools }) => {
        seen.push(["beforeRun", context.messages, "bash" in tools, getService("words")]);
        const { bash: _bash, ...others } = tools;
        return { systemPrompt: "Be brief.", tools: others };
      });
      registerHook("beforeLLMCall", ({ context, systemPrompt, tools }) => {
        seen.push(["beforeLLMCall", context.messages.length, String(systemPrompt).startsWith("Be brief.")]);
        return { tools: { ls: tools.ls } };
      });
      registerHook("afterLLMCall", ({ finishReason, text }) => void seen.push([finishReason, text]));
      registerHook("afterRun", ({ result }) => void seen.push(["afterRun", result]));
    },
  };
  const words: EnginePlugin = {
    name: "words",
    beforeInitialize: ({ registerService }) => registerService("words", 5),
    initialize: () => {},
  };
  const offered: unknown[] = [];
  const steps = [calling("bash", { command: "touch x" }), { text: "Over." }];
  const { engine, ends } = await openEngine([], {
    model: scriptedModel(({ tools = [] }) => {
      offered.push(tools.map(({ name }) => name));
      return steps.shift()!;
    }),
    enginePlugins: { plugins: [words, plugin] },
  });
  expect(await engine.run("Go.")).toBe("Over.");
  expect(seen).toEqual([
    ["beforeRun", [{ role: "user", content: "Go." }], true, 5],
    ["beforeLLMCall", 1, true],
    ["tool-calls", ""],
    ["beforeLLMCall", 3, true],
    ["stop", "Over."],
    ["afterRun", "Over."],
  ]);
  expect(offered).toEqual([["ls"], ["ls"]]);
  // What a run was not given cannot be called in it either.
  expect(await ends()).toEqual([["failed", expect.stringContaining("bash")]]);
});

test("the hooks of the engine's options may change input and output, and its instructions follow the default ones", async () => {
  const systems: string[] = [];
  const steps = [calling("echo", { text: "hi" }), { text: "Over." }];
  const { engine, ends } = await openEngine([], {
    tools: { echo },
    model: scriptedModel(({ prompt }) => {
      systems.push(String(prompt[0]?.content));
      return steps.shift()!;
    }),
    systemPrompt: { append: "Use camelCase." },
    hooks: {
      onBeforeToolCall: (name, input) => ({ text: `${name} ${input.text}` }),
      onAfterToolCall: (_name, _input, output) => `${output}!`,
    },
  });
  await engine.run("Go.");
  expect(await ends()).toEqual([["done", "echo hi!"]]);
  expect(systems[0]).toMatch(/\n\nUse camelCase\.$/);
  expect(systems[1]).toBe(systems[0]);
});
