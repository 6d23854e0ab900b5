import { expect, test } from "vitest";
import type { Session } from "../../../src/index.ts";
import {
  AgentTemplateRegistry,
  defineTool,
  defineTools,
  FsRead,
  type ToolInstance,
  ToolRegistry,
} from "../../../src/systems/kode/index.ts";
import { calling } from "../../capabilities/agents/open-agent.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";
import { createKode } from "./create-kode.ts";

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
  attributes: { readonly: true, noEffect: true },
  async exec(args, ctx) {
    ctx.emit("weather_fetched", { city: args.city });
    return { temperature: 22, units: args.units };
  },
});

const shown = (session: Session, name: string) => session.tools().find((tool) => tool.name === name);
const errorOf = async (session: Session, name: string, input: object) =>
  (await session.call(name, input)).error?.code;

test("K24: a tool defined by its parameters gets its JSON Schema made from them", async () => {
  const { session } = await createKode({ tools: [weather] });
  expect(shown(session, "get_weather")).toMatchObject({
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
  const { data } = await session.call("get_weather", { city: "Bonn" });
  expect(data).toEqual({ temperature: 22, units: "celsius" });
  expect(await errorOf(session, "get_weather", { city: "Bonn", units: "kelvin" })).toBe("invalid-input");
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
    exec: async (args) => args,
  });
  const { session } = await createKode({ tools: [tool] });
  expect(shown(session, "profile")?.inputSchema).toMatchObject({
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
  const person = { email: "a@b", roles: ["x"] };
  const given = { str: "s", num: 1.5, bool: true, choice: "one", tags: ["t"], person };
  expect((await session.call("profile", given)).data).toEqual({ ...given, withDefault: 42 });
  for (const wrong of [{ tags: [1] }, { choice: "three" }, { person: { email: "a@b" } }, { bool: "perhaps" }])
    expect(await errorOf(session, "profile", { ...given, ...wrong })).toBe("invalid-input");
});

test("K26: a JSON Schema given as it is keeps its pattern and lengths, and input is checked against them", async () => {
  const data = { type: "string", pattern: "^[A-Z]{3}$", minLength: 3, maxLength: 3 } as const;
  const tool = defineTool({
    name: "advanced_tool",
    description: "Takes a code.",
    input_schema: { type: "object", properties: { data }, required: ["data"] },
    exec: async (args: Record<string, unknown>) => args.data,
  });
  const { session } = await createKode({ tools: [tool] });
  expect(shown(session, "advanced_tool")?.inputSchema.properties).toEqual({ data });
  expect((await session.call("advanced_tool", { data: "ABC" })).text).toBe("ABC");
  for (const wrong of ["abc", "AB", "ABCD"])
    expect(await errorOf(session, "advanced_tool", { data: wrong })).toBe("invalid-input");
});

test("K27: several tools are defined at once", async () => {
  const params = { a: { type: "number" }, b: { type: "number" } } as const;
  const tools = defineTools([
    { name: "add", description: "Adds.", params, exec: async (args) => Number(args.a) + Number(args.b) },
    {
      name: "multiply",
      description: "Multiplies.",
      params,
      exec: async (args) => Number(args.a) * Number(args.b),
    },
  ]);
  const { session } = await createKode({ tools });
  expect((await session.call("add", { a: 2, b: 3 })).data).toBe(5);
  expect((await session.call("multiply", { a: 2, b: 3 })).data).toBe(6);
});

/** A tool in the classic shape: an instance with a method. */
class Greet implements ToolInstance {
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

test("K28: a tool in the classic shape is registered by a function that makes it, with its schema, manual and fields", async () => {
  const toolRegistry = new ToolRegistry();
  toolRegistry.register("greet", () => new Greet());
  expect(toolRegistry.create("greet").toDescriptor?.()).toEqual({
    source: "registered",
    name: "greet",
    registryId: "greet",
  });
  const { session } = await createKode({ tools: ["greet"] }, [], { toolRegistry });
  expect((await session.call("greet", { name: "Ada" })).text).toBe("Hello, Ada!");
  expect(await errorOf(session, "greet", {})).toBe("invalid-input");
  expect(session.toolManuals()).toContain("## greet\n\nGreet teammates by name.");
});

/** Tools whose attributes or older metadata are these, by name. */
const declaring = (declared: Readonly<Record<string, object>>) =>
  Object.entries(declared).map(([name, fields]) => ({
    ...defineTool({ name, description: "Acts.", params: {}, exec: async () => "acted" }),
    ...fields,
  }));

test("K29, K31: in mode readonly a read-only tool runs by itself, and one that says nothing counts as one that writes", async () => {
  const tools = declaring({ looks: { attributes: { readonly: true } }, silent: {} });
  const { session } = await createKode({ tools, overrides: { permission: { mode: "readonly" } } });
  expect((await session.call("looks")).status).toBe("done");
  expect((await session.call("silent")).status).toBe("denied");
  expect(shown(session, "silent")?.annotations).toMatchObject({
    readOnlyHint: false,
    idempotentHint: false,
    destructiveHint: true,
  });
});

test("K30: a tool says that it is safe to run again, and the catalogue passes it on", async () => {
  const tools = declaring({ again: { attributes: { noEffect: true } }, once: {} });
  const { session } = await createKode({ tools });
  const hints = ["again", "once"].map((name) => shown(session, name)?.annotations.idempotentHint);
  expect(hints).toEqual([true, false]);
});

test("K40: a loader's tools are chosen by a template, and are there again when the agent is resumed", async () => {
  const toolRegistry = new ToolRegistry();
  toolRegistry.registerMCPLoader("my-mcp-server", async () => [
    { name: "greet", inputSchema: { type: "object" }, execute: async () => "Hello!" },
    { name: "other", inputSchema: { type: "object" }, execute: async () => "Other!" },
  ]);
  const templateRegistry = new AgentTemplateRegistry();
  templateRegistry.register({ id: "greeter", tools: ["mcp__my-mcp-server__greet"] });
  const config = {
    agentId: "kept",
    templateId: "greeter",
    sandbox: { workDir: await temporaryFolder() },
    toolwright: {
      store: `sqlite:${await temporaryFolder()}/store.sqlite`,
      permissions: { allow: ["@execute", "@network"] },
    },
  };
  const dependencies = { toolRegistry, templateRegistry };
  for (const isResumed of [false, true]) {
    const { agent, requests } = await createKode(
      config,
      [calling("mcp__my-mcp-server__greet")],
      dependencies,
    );
    expect(agent.session.resumed).toBe(isResumed);
    await agent.chat("go");
    expect(requests[0]!.tools?.map(({ name }) => name)).toEqual(["mcp__my-mcp-server__greet"]);
    expect(JSON.stringify(requests.at(-1)!.prompt)).toContain("Hello!");
    await agent.close();
  }
});

test("K42: the metadata of older tools mean the same as attributes", async () => {
  const tools = declaring({
    reads: { metadata: { access: "read", mutates: false } },
    writes: { metadata: { access: "write", mutates: true } },
    safe: { metadata: { safe: true } },
  });
  const { session } = await createKode({ tools });
  const hints = ["reads", "writes", "safe"].map((name) => {
    const { readOnlyHint, idempotentHint } = shown(session, name)!.annotations;
    return { name, readOnlyHint, idempotentHint };
  });
  expect(hints).toEqual([
    { name: "reads", readOnlyHint: true, idempotentHint: false },
    { name: "writes", readOnlyHint: false, idempotentHint: false },
    { name: "safe", readOnlyHint: false, idempotentHint: true },
  ]);
});

test("K43: old tools, new ones and instances of built-in classes are mixed in one list", async () => {
  const { agent, requests } = await createKode({ tools: [new Greet(), weather, new FsRead()] }, [
    calling("greet", { name: "Ada" }),
    calling("get_weather", { city: "Bonn" }),
    calling("fs_read", { path: "nowhere.txt" }),
  ]);
  expect(await agent.chat("go")).toEqual({ status: "ok", text: "over" });
  expect(requests[0]!.tools?.map(({ name }) => name).toSorted()).toEqual(["fs_read", "get_weather", "greet"]);
  const told = JSON.stringify(requests.at(-1)!.prompt);
  for (const answer of ["Hello, Ada!", "celsius", "nowhere.txt does not exist"])
    expect(told).toContain(answer);
});
