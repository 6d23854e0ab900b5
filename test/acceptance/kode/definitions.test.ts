import { expect, onTestFinished, test, vi } from "vitest";
import { defineTool, defineTools } from "../../../src/index.ts";
import { calling } from "../../agent/open-agent.ts";
import { familyModel } from "../../agent/sub-agents/family-model.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

const weather = defineTool({
  name: "get_weather",
  description: "Tells the weather.",
  params: {
    city: { type: "string", description: "The name of the city" },
    units: {
      type: "string",
      description: "Of the temperature",
      enum: ["celsius", "fahrenheit"],
      required: false,
      default: "celsius",
    },
  },
  traits: { readOnly: true, idempotent: true },
  run: ({ city, units }, context) => {
    context.emit("weather_fetched", { city });
    return { temperature: 22, units };
  },
});

test("K24: a tool defined by its parameters gets its JSON Schema made from them", async () => {
  const { session } = await openTestSession({ dialect: "kode", tools: [weather] });
  const shown = session.tools().find(({ name }) => name === "get_weather");
  expect(shown).toMatchObject({
    description: "Tells the weather.",
    inputSchema: {
      type: "object",
      properties: {
        city: { type: "string", description: "The name of the city" },
        units: { type: "string", enum: ["celsius", "fahrenheit"], default: "celsius" },
      },
      required: ["city"],
    },
  });
  expect((await session.call("get_weather", { city: "Bonn" })).data).toEqual({
    temperature: 22,
    units: "celsius",
  });
  expect((await session.call("get_weather", { city: "Bonn", units: "kelvin" })).error?.code).toBe(
    "invalid-input",
  );
});

test("K25: a parameter is a string, number, boolean, list or object, with enum, default, and optional ones at every depth", async () => {
  const tool = defineTool({
    name: "profile",
    description: "Repeats.",
    params: {
      str: { type: "string", description: "A text" },
      num: { type: "number" },
      bool: { type: "boolean" },
      optional: { type: "string", required: false },
      withDefault: { type: "number", default: 42 },
      choice: { type: "string", enum: ["one", "two"] },
      tags: { type: "array", description: "All tags", items: { type: "string" } },
      person: {
        type: "object",
        description: "Who",
        properties: {
          email: { type: "string" },
          age: { type: "number", required: false },
          roles: { type: "array", items: { type: "string" } },
        },
      },
    },
    traits: { readOnly: true },
    run: (input) => input,
  });
  expect(tool.inputSchema).toMatchObject({
    required: ["str", "num", "bool", "choice", "tags", "person"],
    properties: {
      str: { type: "string", description: "A text" },
      withDefault: { default: 42 },
      choice: { enum: ["one", "two"] },
      tags: { type: "array", description: "All tags", items: { type: "string" } },
      person: {
        required: ["email", "roles"],
        properties: { age: { type: "number" }, roles: { items: { type: "string" } } },
      },
    },
  });
  const { session } = await openTestSession({ dialect: "kode", tools: [tool] });
  const person = { email: "a@b", roles: ["x"] };
  const given = { str: "s", num: 1.5, bool: true, choice: "one", tags: ["t"], person };
  expect((await session.call("profile", given)).data).toEqual({ ...given, withDefault: 42 });
  for (const wrong of [{ tags: [1] }, { choice: "three" }, { person: { email: "a@b" } }, { bool: "perhaps" }])
    expect((await session.call("profile", { ...given, ...wrong })).error?.code).toBe("invalid-input");
});

test("K26: a JSON Schema given as it is keeps its pattern and lengths, and input is checked against them", async () => {
  const data = { type: "string", pattern: "^[A-Z]{3}$", minLength: 3, maxLength: 3 } as const;
  const tool = defineTool({
    name: "advanced",
    description: "Takes a code.",
    input: { type: "object", properties: { data }, required: ["data"] },
    traits: { readOnly: true },
    run: (input) => (input as { data: string }).data,
  });
  expect(tool.inputSchema.properties).toEqual({ data });
  const { session } = await openTestSession({ dialect: "kode", tools: [tool] });
  expect((await session.call("advanced", { data: "ABC" })).status).toBe("done");
  for (const wrong of ["abc", "AB", "ABCD"])
    expect((await session.call("advanced", { data: wrong })).error?.code).toBe("invalid-input");
});

test("K27: several tools are defined at once", async () => {
  const params = { a: { type: "number" }, b: { type: "number" } } as const;
  const tools = defineTools([
    { name: "add", description: "Adds.", params, traits: { readOnly: true }, run: ({ a, b }) => a + b },
    {
      name: "multiply",
      description: "Multiplies.",
      params,
      traits: { readOnly: true },
      run: ({ a, b }) => a * b,
    },
  ]);
  const { session } = await openTestSession({ dialect: "kode", tools });
  expect((await session.call("add", { a: 2, b: 3 })).data).toBe(5);
  expect((await session.call("multiply", { a: 2, b: 3 })).data).toBe(6);
});

/** A tool in the classic shape: an instance with a method. */
class Greet {
  readonly name = "greet";
  readonly description = "Greets somebody.";
  readonly input_schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  readonly prompt = "Greet teammates by name.";
  readonly #greeting = "Hello";
  async exec({ name }: { name: string }) {
    return `${this.#greeting}, ${name}!`;
  }
  toDescriptor() {
    return { source: "registered", name: "greet", registryId: "greet" };
  }
}

const allowed = { dialect: "kode", permissions: { mode: "auto", allow: ["@execute", "@network"] } } as const;

test("K28: a tool in the classic shape runs as it is, with its own schema and fields, where a loader brings it", async () => {
  const { session, runtime } = await openTestSession(allowed);
  await runtime.tools.registerMCPLoader("local", () => [new Greet()]);
  expect((await session.call("mcp__local__greet", { name: "Ada" })).text).toBe("Hello, Ada!");
  expect((await session.call("mcp__local__greet", {})).error?.code).toBe("invalid-input");
});

test("K29, K31: in mode readonly a read-only tool runs by itself, and one that says nothing counts as one that writes", async () => {
  const silent = defineTool({ name: "silent", description: "Acts.", params: {}, run: () => "acted" });
  const { session } = await openTestSession({
    dialect: "kode",
    permissions: { mode: "readonly" },
    tools: [weather, silent],
  });
  expect((await session.call("get_weather", { city: "Bonn" })).status).toBe("done");
  expect((await session.call("silent")).status).toBe("denied");
  const hints = session.tools().find(({ name }) => name === "silent")?.annotations;
  expect(hints).toMatchObject({ readOnlyHint: false, idempotentHint: false, destructiveHint: true });
});

test("K30: a tool says that it is safe to run again, and the catalogue passes it on", async () => {
  const { session } = await openTestSession({ dialect: "kode", tools: [weather] });
  const shown = session.tools().find(({ name }) => name === "get_weather");
  expect(shown?.annotations.idempotentHint).toBe(true);
  const mcp = session.tools({ format: "mcp" }).find(({ name }) => name === "get_weather");
  expect(mcp?.annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true });
});

test("K40: a loader's tools are chosen by a template, and are there again when the session is resumed", async () => {
  vi.stubEnv("XDG_STATE_HOME", await temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const options = {
    ...allowed,
    store: `sqlite:${await temporaryFolder()}/store.sqlite`,
    workspace: await temporaryFolder(),
    agents: { templates: { greeter: { description: "Greets.", tools: ["mcp__local__greet"] } } },
  };
  const load = async () => [new Greet(), { name: "other", exec: () => "other" }];
  const first = await openTestSession(options, { id: "kept" });
  await first.runtime.tools.registerMCPLoader("local", load);
  const { model, requests } = familyModel({
    CHILD: [calling("mcp__local__greet", { name: "Ada" }), { text: "Greeted." }],
    PARENT: [calling("task_run", { prompt: "CHILD", subagent_type: "greeter" }), { text: "Good." }],
  });
  await first.runtime.agent({ model, session: first.session }).run("PARENT, go");
  expect(requests.CHILD![0]!.tools?.map(({ name }) => name)).toEqual(["mcp__local__greet"]);
  expect(JSON.stringify(requests.CHILD![1]!.prompt.at(-1))).toContain("Hello, Ada!");
  const before = first.session.tools().map(({ name }) => name);
  await first.runtime.close();
  const second = await openTestSession(options, { id: "kept" });
  await second.runtime.tools.registerMCPLoader("local", load);
  expect(second.session.resumed).toBe(true);
  expect(second.session.tools().map(({ name }) => name)).toEqual(before);
  expect((await second.session.call("mcp__local__greet", { name: "Bob" })).text).toBe("Hello, Bob!");
});

test("K43: defined tools, classic ones from a loader and the built-in ones work side by side", async () => {
  const { session, runtime } = await openTestSession({ ...allowed, tools: [weather] });
  await runtime.tools.registerMCPLoader("local", () => [new Greet()]);
  const results = await session.callAll([
    { name: "get_weather", input: { city: "Bonn" } },
    { name: "mcp__local__greet", input: { name: "Ada" } },
    { name: "fs_glob", input: { pattern: "*" } },
  ]);
  expect(results.map(({ status }) => status)).toEqual(["done", "done", "done"]);
});
