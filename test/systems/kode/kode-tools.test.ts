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

test("K42: a tool that is safe to run again says so, in old and new words", () => {
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

test("K3, K11, K12: the context can be spread, and leads to the workspace under the same rules as everything", async () => {
  const seen: Record<string, unknown> = {};
  const tool: ToolInstance = {
    ...plain,
    name: "it",
    async exec(_, context) {
      const { sandbox, filePool, agentId, signal } = { ...context };
      const { fs, workDir } = sandbox;
      seen.read = await fs.read("a.txt");
      seen.echo = await sandbox.exec("echo hi; exit 3");
      seen.late = (await sandbox.exec("sleep 60", { timeoutMs: 50 })).code;
      seen.found = (await fs.glob("**/*.txt", { ignore: ["skipped/**"] })).toSorted();
      seen.below = await fs.glob("*.txt", { cwd: "sub", absolute: true });
      seen.dots = await fs.glob("**/*.txt", { cwd: ".hidden/..", dot: true, ignore: ["*.txt", "s*/*.txt"] });
      seen.places = [fs.resolve("a.txt"), fs.isInside("../x"), fs.isInside("x"), fs.temp("t")];
      seen.time = (await fs.stat("a.txt")).mtimeMs;
      seen.who = [typeof agentId, signal instanceof AbortSignal];
      seen.unseen = [await filePool.validateWrite("a.txt"), await filePool.checkFreshness("a.txt")];
      await filePool.recordRead("a.txt");
      seen.fresh = await filePool.validateWrite(join(workDir, "a.txt"));
      await writeFile(join(workDir, "a.txt"), "changed\n");
      seen.stale = [await filePool.validateWrite("a.txt"), await filePool.checkFreshness("a.txt")];
      await filePool.recordEdit("a.txt");
      seen.again = await filePool.checkFreshness("a.txt");
      seen.tracked = [filePool.getTrackedFiles(), filePool.getAccessedFiles()];
      await fs.read("secret.txt");
    },
  };
  const { workspace } = await openFileSession({
    "a.txt": "one\n",
    "secret.txt": "hush\n",
    "sub/b.txt": "",
    "skipped/c.txt": "",
    ".hidden/d.txt": "",
  });
  const { session } = await openTestSession({
    permissions: { mode: "auto", deny: ["Read(secret.txt)"] },
    dialect: "kode",
    workspace,
    tools: kodeTools([tool]),
  });
  expect(await session.call("it")).toMatchObject({ status: "denied" });
  const file = join(workspace, "a.txt");
  const currentMtime = expect.any(Number);
  const [lastRead, lastEdit] = [currentMtime, currentMtime];
  expect(seen).toEqual({
    read: "one\n",
    echo: { code: 3, stdout: "hi\n", stderr: "" },
    late: 124,
    found: ["a.txt", "sub/b.txt"],
    below: [join(workspace, "sub/b.txt")],
    dots: [".hidden/d.txt"],
    places: [file, false, true, ".temp/t"],
    time: currentMtime,
    who: ["string", true],
    unseen: [
      { isFresh: true, currentMtime },
      { isFresh: false, currentMtime },
    ],
    fresh: { isFresh: true, lastRead, currentMtime },
    stale: [
      { isFresh: false, lastRead, currentMtime },
      { isFresh: false, lastRead, currentMtime },
    ],
    again: { isFresh: true, lastRead, lastEdit, currentMtime },
    tracked: [[file], [{ path: file, mtime: currentMtime }]],
  });
  expect(await readFile(file, "utf8")).toBe("changed\n");
});
