import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { builtinTools } from "../../../src/capabilities.ts";
import { defineTool, type Plugin, type Session } from "../../../src/index.ts";
import { openFileSession } from "../../support/open-file-session.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const openPulse = () => openFileSession({ "a.txt": "one\n" }, { dialect: "pulse" });

const named = (session: Session, name: string) => session.tools().find((tool) => tool.name === name);

test("P1: built-in, plugin and own tools follow one protocol: a schema, an execution with a context, one limit for output", async () => {
  const long = (name: string) =>
    defineTool({
      name,
      description: "Answers at length.",
      params: { mark: { type: "string" } },
      traits: { readOnly: true },
      run: ({ mark }, { signal }) => `${mark}${signal.aborted}${"x".repeat(40_000)}`,
    });
  const plugin: Plugin = { name: "business", tools: [long("from_plugin")] };
  const { session, workspace } = await openFileSession(
    { "long.txt": "y".repeat(40_000) },
    { dialect: "pulse", plugins: [plugin], tools: [long("from_options")] },
  );
  for (const name of ["from_plugin", "from_options"]) {
    expect(named(session, name)?.inputSchema).toMatchObject({ type: "object", required: ["mark"] });
    const result = await session.call(name, { mark: "m" });
    expect(result).toMatchObject({ status: "done", truncated: true });
    expect(result.text).toMatch(/^mfalsex/);
    expect(result.text.length).toBeLessThanOrEqual(30_000);
    expect((await session.call(name, {})).error?.code).toBe("invalid-input");
  }
  const read = await session.call("read", { filePath: join(workspace, "long.txt") });
  expect(read.truncated).toBe(true);
  expect(read.text.length).toBeLessThanOrEqual(30_000);
});

test("P2: options come before plugins, and both before the built-in tools, whose names are taken only on purpose", async () => {
  const saying = (name: string, text: string) =>
    defineTool({ name, description: text, params: {}, traits: { readOnly: true }, run: () => text });
  const plugin: Plugin = {
    name: "business",
    tools: [saying("greet", "plugin")],
    register: (api) => {
      api.registerTool(saying("ls", "plugin"), { override: true });
      api.registerTool(saying("read", "plugin"), { override: true });
    },
  };
  const options = [saying("greet", "options"), { tool: saying("read", "options"), override: true }];
  const { session } = await openTestSession({ dialect: "pulse", plugins: [plugin], tools: options });
  const answer = async (name: string) => (await session.call(name)).text;
  expect(await answer("greet")).toBe("options");
  expect(await answer("read")).toBe("options");
  expect(await answer("ls")).toBe("plugin");
  await expect(openTestSession({ dialect: "pulse", tools: [saying("read", "by accident")] })).rejects.toThrow(
    "read is the name of the built-in tool file_read",
  );
});

test("P3: the catalogue has the eight tools, each with its type", async () => {
  const { session } = await openPulse();
  const types = session
    .tools()
    .flatMap(({ name, metadata }) => (metadata.type ? [[name, metadata.type]] : []));
  expect(Object.fromEntries(types)).toEqual({
    read: "read",
    write: "write",
    edit: "write",
    grep: "search",
    ls: "read",
    bash: "execute",
    tavily: "search",
    clarify: "other",
  });
});

test("P12: every built-in tool has a schema that bad input fails against, and a tool of one's own may have a Zod schema", async () => {
  const own = defineTool({
    name: "measure",
    description: "Measures.",
    input: z.object({ width: z.number().min(1) }),
    traits: { readOnly: true },
    run: ({ width }) => width * 2,
  });
  const { session } = await openTestSession({ dialect: "pulse", tools: [own] });
  for (const { name, inputSchema } of session.tools()) {
    expect(inputSchema).toMatchObject({ type: "object", properties: expect.any(Object) });
    const { error } = await session.call(name, { "no such parameter": 1 });
    expect([name, error?.code]).toEqual([name, "invalid-input"]);
  }
  expect(session.tools().length).toBe(builtinTools.length + 1);
  expect((await session.call("measure", { width: 0 })).error?.message).toContain("$.width");
  expect((await session.call("measure", { width: 2 })).data).toBe(4);
});

test("P13: the path of write is described as absolute", async () => {
  const { session } = await openPulse();
  expect(named(session, "write")?.inputSchema).toMatchObject({
    required: ["filePath", "content"],
    properties: { filePath: { type: "string", description: expect.stringContaining("absolute path") } },
  });
});

test("P14: the timeout of bash is between 0 and 600,000 milliseconds, and another one is refused", async () => {
  const { session } = await openPulse();
  expect(named(session, "bash")?.inputSchema).toMatchObject({
    properties: { timeout: { type: "integer", minimum: 0, maximum: 600_000 } },
  });
  for (const timeout of [-1, 600_001]) {
    const { error } = await session.call("bash", { command: "true", timeout });
    expect(error).toMatchObject({
      code: "invalid-input",
      message: `invalid input for bash: $.timeout must be between 0 and 600000; received ${timeout}`,
    });
  }
  expect((await session.explain("bash", { command: "true", timeout: 0 })).decision).not.toBe("deny");
  expect((await session.explain("bash", { command: "true", timeout: 600_000 })).decision).not.toBe("deny");
});

test("P15: an edit whose old and new text are the same is refused", async () => {
  const { session } = await openPulse();
  const same = { filePath: "a.txt", oldString: "one", newString: "one" };
  expect((await session.call("edit", same)).error).toMatchObject({
    code: "invalid-input",
    message: expect.stringContaining("the old text and the new text are the same"),
  });
});
