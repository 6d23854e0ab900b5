import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  defineTool,
  defineTools,
  type EnhancedToolContext,
  kodeTools,
  type ToolInstance,
} from "../../../src/systems/kode/index.ts";
import { openFileSession } from "../../support/open-file-session.ts";
import { openTestSession } from "../../support/open-test-session.ts";

async function openWith(instances: readonly ToolInstance[], mode: "auto" | "ask" | "readonly" = "auto") {
  return openTestSession({
    dialect: "kode",
    deferral: { maxTools: 1000 },
    permissions: { mode },
    tools: kodeTools(instances),
  });
}

test("K24, K32: a tool is defined by its parameters, with defaults and choices, and emits events", async () => {
  const weather = defineTool({
    name: "get_weather",
    description: "The weather in a city.",
    params: {
      city: { type: "string", description: "Which one" },
      units: { type: "string", enum: ["celsius", "fahrenheit"], required: false, default: "celsius" },
    },
    attributes: { readonly: true, noEffect: true },
    async exec(args, ctx) {
      ctx.emit("weather_fetched", { city: args.city });
      return { temperature: 22, units: args.units };
    },
  });
  expect(weather.toDescriptor?.()).toEqual({
    source: "registered",
    name: "get_weather",
    registryId: "get_weather",
  });
  // Read-only tools need no approval, in any mode.
  const { session } = await openWith([weather], "readonly");
  expect((await session.call("get_weather", { city: "Oslo" })).data).toEqual({
    temperature: 22,
    units: "celsius",
  });
  expect(await session.call("get_weather", { city: "Oslo", units: "kelvin" })).toMatchObject({
    error: { code: "invalid-input" },
  });
  const [tool] = session.tools().filter(({ name }) => name === "get_weather");
  expect(tool).toMatchObject({ inputSchema: { properties: { city: { description: "Which one" } } } });
  for await (const event of session.events()) {
    if (event.type !== "custom") continue;
    expect(event).toMatchObject({ eventType: "weather_fetched", data: { city: "Oslo" } });
    break;
  }
});

test("K26, K27: several are defined at once, and a JSON Schema may be given as it is", async () => {
  const numbers = { a: { type: "number" }, b: { type: "number" } } as const;
  const tools = defineTools([
    { name: "add", description: "Adds.", params: numbers, exec: async ({ a, b }) => Number(a) + Number(b) },
    {
      name: "code",
      description: "Takes a code.",
      input_schema: {
        type: "object",
        properties: { code: { type: "string", pattern: "^[A-Z]{3}$" } },
        required: ["code"],
      },
      exec: async ({ code }) => code,
    },
  ]);
  const { session } = await openWith(tools);
  expect((await session.call("add", { a: 1, b: 2 })).data).toBe(3);
  expect((await session.call("code", { code: "ABC" })).text).toBe("ABC");
  expect(await session.call("code", { code: "abc" })).toMatchObject({ error: { code: "invalid-input" } });
});

test("K37: a class with `exec` keeps its state, and gets the signal of its call", async () => {
  class Counter implements ToolInstance {
    readonly name = "count";
    readonly description = "Counts.";
    readonly input_schema = { type: "object", properties: {} };
    readonly prompt = "Use it to count.";
    #count = 0;

    async exec(_args: unknown, context: EnhancedToolContext) {
      if (context.signal.aborted) throw new Error("Operation aborted");
      this.#count += 1;
      return this.#count;
    }
  }
  const { session } = await openWith([new Counter()]);
  await session.call("count");
  expect((await session.call("count")).data).toBe(2);
  expect(session.toolManuals()).toContain("Use it to count.");
});

const plain = {
  description: "It.",
  input_schema: { type: "object", properties: {} },
  exec: async () => "done",
};

test.each<[string, object, string]>([
  ["attributes", { attributes: { readonly: true } }, "done"],
  ["older metadata", { metadata: { access: "read", mutates: false } }, "done"],
  ["metadata of a tool that writes", { metadata: { access: "write", mutates: true } }, "denied"],
  ["nothing", {}, "denied"],
])("K29, K31, K42: in mode readonly a tool runs by its %s", async (_, more, status) => {
  const { session } = await openWith([{ ...plain, name: "it", ...more }], "readonly");
  expect((await session.call("it")).status).toBe(status);
});

test("K42: what is safe to run again says so, in old and new words", () => {
  const tools = kodeTools([
    { ...plain, name: "a", attributes: { noEffect: true } },
    { ...plain, name: "b", metadata: { safe: true } },
    { ...plain, name: "c" },
  ]);
  expect(tools.map(({ traits }) => traits.idempotent)).toEqual([true, true, false]);
});

test("`ok: false` is a failure, with its advice", async () => {
  const failed = {
    ok: false,
    error: "no such city",
    retryable: true,
    recommendations: ["Try Oslo."],
    seen: 3,
  };
  const { session } = await openWith([{ ...plain, name: "it", exec: async () => failed }]);
  expect(await session.call("it")).toMatchObject({
    status: "failed",
    error: { code: "tool-failed", message: "no such city", hint: "Try Oslo.", retryable: true },
    data: { ok: false, error: "no such city", recommendations: ["Try Oslo."], data: { seen: 3 } },
  });
});

test("the context can be spread, and leads to the workspace under the same rules as everything", async () => {
  const seen: unknown[] = [];
  const tool: ToolInstance = {
    ...plain,
    name: "it",
    async exec(_, context) {
      const { sandbox, filePool, agentId, signal } = { ...context };
      seen.push(
        await sandbox.fs.read("a.txt"),
        (await sandbox.exec("echo hi")).stdout,
        await sandbox.fs.glob("*.txt"),
      );
      seen.push(typeof agentId, signal instanceof AbortSignal);
      await filePool.recordRead("a.txt");
      seen.push(await filePool.validateWrite("a.txt"));
      await writeFile(join(sandbox.workDir, "a.txt"), "changed\n");
      seen.push(await filePool.validateWrite("a.txt"));
      await sandbox.fs.read("secret.txt");
    },
  };
  const options = { permissions: { mode: "auto", deny: ["Read(secret.txt)"] } } as const;
  const { workspace } = await openFileSession({ "a.txt": "one\n", "secret.txt": "hush\n" });
  const { session } = await openTestSession({
    ...options,
    dialect: "kode",
    workspace,
    tools: kodeTools([tool]),
  });
  expect(await session.call("it")).toMatchObject({ status: "denied" });
  expect(seen).toEqual(["one\n", "hi\n", ["a.txt"], "string", true, { isFresh: true }, { isFresh: false }]);
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("changed\n");
});
