import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { runAgentKeys } from "../../../src/capabilities/agents/agent.ts";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { sessionAgentKeys } from "../../../src/capabilities/agents/open-agent.ts";
import {
  fieldKeys,
  readTemplate,
} from "../../../src/capabilities/agents/sub-agents/templates/read-template.ts";
import { activeToolsKeys, toolsKeys } from "../../../src/capabilities/interop/create-interop.ts";
import { handleKeys } from "../../../src/capabilities/interop/handle-message.ts";
import { readyKeys, waitUntilConnected } from "../../../src/capabilities/mcp-client/open-mcp-client.ts";
import { declaredOptions } from "../../../src/capabilities.ts";
import { configKeys, readConfigFile } from "../../../src/faces/cli/config/config-file.ts";
import { openRuntime } from "../../../src/index.ts";
import { requestKeys } from "../../../src/kernel/call/call.ts";
import { afterDecisionKeys, beforeDecisionKeys, hookKeys } from "../../../src/kernel/call/hooks/hooks.ts";
import { decisionDetailKeys, decisionKeys } from "../../../src/kernel/people/approvals.ts";
import { toolFolderKeys } from "../../../src/kernel/registry/folders/tool-folder.ts";
import { pluginKeys } from "../../../src/kernel/registry/plugins/plugin.ts";
import { registerKeys } from "../../../src/kernel/registry/registry.ts";
import { overrideKeys, providedToolKeys } from "../../../src/kernel/registry/tool-source.ts";
import { sessionKeys } from "../../../src/kernel/runtime/session.ts";
import { eventQueryKeys } from "../../../src/kernel/session/event-stream.ts";
import { receiptQueryKeys } from "../../../src/kernel/store/store.ts";
import type { ObjectShape, Shape } from "../../../src/shared/options/known-keys.ts";
import { createTestContext } from "../../../src/testing/create-test-context.ts";
import { testKeys } from "../../../src/testing/test-options.ts";
import { type AnyTool, defineTool, definitionKeys } from "../../../src/tool/define-tool.ts";
import { permissionRequestKeys } from "../../../src/tool/permission-request.ts";
import { questionKeys } from "../../../src/tool/services/question.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

// Whatever is given here is wrong in type too; the point is what happens to those who do not use TypeScript.
type Given = never;

interface Entry {
  readonly shape: Shape;
  /** Gives an object of this shape to the code that reads it, and returns the error's message. */
  refuse(given: unknown): Promise<string>;
}

/** Everything that takes options. */
async function listEntries(): Promise<Record<string, Entry>> {
  const { runtime, session } = await openTestSession({ permissions: { mode: "auto" } });
  const folder = await temporaryFolder();
  const agent = runtime.agent({ model: scriptedModel([]) });
  const tool = (name: string, more: object = {}): AnyTool =>
    defineTool({ name, description: "Does nothing.", params: {}, run: () => "done", ...more });
  const called = async (options: object, name = "sample") => {
    const { session: own } = await openTestSession({
      permissions: { mode: "auto" },
      tools: [tool("sample")],
      ...options,
    });
    const { status, error } = await own.call(name);
    expect(status).not.toBe("done");
    return `${error?.message} ${error?.hint}`;
  };
  const decided = (shapes: Record<string, Shape>, hook: "beforeCall" | "afterCall") =>
    Object.entries(shapes).map(([decision, shape]): [string, Entry] => [
      `the decision ${decision} of ${hook}`,
      {
        shape,
        refuse: (given) => called({ hooks: { [hook]: () => ({ ...(given as object), decision }) } }),
      },
    ]);
  return {
    openRuntime: {
      shape: declaredOptions.keys,
      refuse: (given) => messageOf(() => openRuntime(given as Given)),
    },
    openSession: {
      shape: sessionKeys,
      refuse: (given) => messageOf(() => runtime.openSession(given as Given)),
    },
    agent: { shape: sessionAgentKeys, refuse: (given) => messageOf(() => runtime.agent(given as Given)) },
    "the session of an agent": {
      shape: sessionKeys,
      refuse: (session) =>
        messageOf(() => runtime.agent({ model: scriptedModel([]), session: session as Given })),
    },
    "agent.run": {
      shape: runAgentKeys,
      refuse: (given) => messageOf(() => agent.run("Hello", given as Given)),
    },
    "a call": {
      shape: requestKeys,
      async refuse(given) {
        const [result] = await session.callAll([given as Given]);
        expect(result).toMatchObject({ status: "failed", error: { code: "invalid-input" } });
        return result!.error!.message;
      },
    },
    defineTool: {
      shape: definitionKeys,
      refuse: (given) => messageOf(() => defineTool({ ...(given as object), name: "sample" } as Given)),
    },
    "a tool in the options": {
      shape: providedToolKeys,
      refuse: (given) =>
        messageOf(() => openRuntime({ tools: [{ ...(given as object), tool: tool("sample") }] })),
    },
    "a folder of tools": {
      shape: toolFolderKeys,
      refuse: (given) => messageOf(() => openRuntime({ toolFolders: [given as Given] })),
    },
    register: {
      shape: registerKeys,
      refuse: (given) => messageOf(() => runtime.tools.register(tool("sample"), given as Given)),
    },
    "a plugin": {
      shape: pluginKeys(hookKeys),
      refuse: (given) =>
        messageOf(() => openRuntime({ plugins: [{ ...(given as object), name: "sample" }] })),
    },
    registerTool: {
      shape: overrideKeys,
      refuse: (given) =>
        messageOf(() =>
          openRuntime({
            plugins: [{ name: "one", register: (api) => api.registerTool(tool("sample"), given as Given) }],
          }),
        ),
    },
    addHooks: {
      shape: hookKeys,
      refuse: (given) =>
        messageOf(() =>
          openRuntime({ plugins: [{ name: "one", register: (api) => api.addHooks(given as Given) }] }),
        ),
    },
    receipts: {
      shape: receiptQueryKeys,
      refuse: (given) => messageOf(() => runtime.receipts(given as Given)),
    },
    events: { shape: eventQueryKeys, refuse: (given) => messageOf(() => session.events(given as Given)) },
    tools: { shape: toolsKeys, refuse: (given) => messageOf(() => session.tools(given as Given)) },
    activeTools: {
      shape: activeToolsKeys,
      refuse: (given) => messageOf(() => session.activeTools(given as Given)),
    },
    handle: { shape: handleKeys, refuse: (given) => messageOf(() => session.handle({}, given as Given)) },
    "mcp.ready": {
      shape: readyKeys,
      refuse: (given) => messageOf(() => waitUntilConnected([], given as Given)),
    },
    createTestContext: {
      shape: testKeys,
      refuse: (given) => messageOf(() => createTestContext(given as Given)),
    },
    "a question": {
      shape: questionKeys,
      refuse: (given) =>
        called({
          tools: [
            tool("sample", {
              run: (_: unknown, { ask }: { ask: Given }) => (ask as (q: unknown) => unknown)(given),
            }),
          ],
        }),
    },
    "what a tool declares": {
      shape: permissionRequestKeys,
      refuse: (given) =>
        called({
          tools: [tool("sample", { permission: () => ({ ...(given as object), action: "write" }) })],
        }),
    },
    "an approval's answer": {
      shape: decisionKeys,
      refuse: (given) =>
        called({
          permissions: { mode: "ask" },
          onApproval: () => ({ ...(given as object), decision: "allow" }),
        }),
    },
    decide: {
      shape: decisionDetailKeys,
      async refuse(given) {
        const waiting = await openTestSession({ approvals: "queue", tools: [tool("sample")] });
        const ending = new AbortController();
        const result = waiting.session.call("sample", {}, { signal: ending.signal });
        await expect.poll(() => waiting.session.approvals.list().length).toBe(1);
        const { id } = waiting.session.approvals.list()[0]!;
        const message = await messageOf(() => waiting.session.approvals.decide(id, "allow", given as Given));
        ending.abort();
        await result;
        return message;
      },
    },
    ...Object.fromEntries(decided(beforeDecisionKeys, "beforeCall")),
    ...Object.fromEntries(decided(afterDecisionKeys, "afterCall")),
    "a configuration file": {
      shape: configKeys,
      async refuse(given) {
        const file = join(folder, "toolwright.json");
        await writeFile(file, JSON.stringify(given));
        return messageOf(() => readConfigFile(file));
      },
    },
    "a template's file": {
      shape: fieldKeys,
      refuse: (given) =>
        messageOf(() =>
          readTemplate(
            `---\ndescription: Reads\n${Object.keys(given as object).map((key) => `${key}: 1`)}\n---\n`,
            { name: "reader", path: ".toolwright/agents/reader.md" },
          ),
        ),
    },
  };
}

test("every unknown key, at every depth of everything that takes options, is refused with its path and the nearest name", async () => {
  const wrong: string[] = [];
  for (const [where, { shape, refuse }] of Object.entries(await listEntries())) {
    for (const { path, keys } of objectsIn(shape)) {
      for (const key of keys) {
        const misspelled = `${key}${key.at(-1)}`;
        const message = await refuse(nest([...path, misspelled]));
        const said = `${[...path, misspelled].join(".")} is not an option; did you mean ${[...path, key].join(".")}?`;
        if (!message.includes(said)) wrong.push(`${where}: ${said} BUT ${message}`);
      }
      const message = await refuse(nest([...path, "zzz"]));
      if (!message.includes(`${[...path, "zzz"].join(".")} is not an option; known here: `))
        wrong.push(`${where}: ${message}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("no table of keys is left out above", async () => {
  const covered = new Set(Object.values(await listEntries()).flatMap(({ shape }) => shapesIn(shape)));
  const source = new URL("../../../src/", import.meta.url);
  const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith(".ts"));
  const left: string[] = [];
  for (const file of files) {
    const path = join(source.pathname, file);
    if (!(await readFile(path, "utf8")).includes("knownKeys<")) continue;
    const exported: Record<string, unknown> = await import(pathToFileURL(path).href);
    for (const [name, value] of Object.entries(exported))
      if (isObjectShape(value) && !covered.has(value)) left.push(`${name} in ${file}`);
  }
  expect(left).toEqual([]);
});

test.each([
  [{ mode: "auto" }, "mode is not an option; did you mean permissions.mode?"],
  [
    { permissions: { denyTools: [] } },
    "permissions.denyTools is not an option; did you mean permissions.deny?",
  ],
  [{ hooks: { beforecall: () => {} } }, "hooks.beforecall is not an option; did you mean hooks.beforeCall?"],
  [{ hooks: { preToolUse: () => {} } }, "hooks.preToolUse is not an option; did you mean hooks.PreToolUse?"],
  [{ hooks: () => {} }, "hooks must be an object; received"],
  [{ permissions: "readonly" }, 'permissions must be an object; received "readonly"'],
  [{ mcpServers: { a: { command: "x", exlude: [] } } }, "did you mean mcpServers.a.exclude?"],
  [JSON.parse('{"__proto__": {}}'), "__proto__ is not an option"],
])("openRuntime(%o) says %s", async (options, message) => {
  await expect(openRuntime(options)).rejects.toThrow(message);
});

test("an instance of a class may have fields of its own", async () => {
  class Counter {
    readonly name = "counter";
    readonly count = 0;
    readonly hooks = { beforecall: () => {} };
  }
  class Plain {
    readonly name = "counter";
    readonly count = 0;
  }
  const { runtime } = await openTestSession({ plugins: [new Plain()] });
  expect(runtime.problems()).toEqual([]);
  await expect(openRuntime({ plugins: [new Counter() as Given] })).rejects.toThrow(
    "plugin counter: hooks.beforecall is not an option; did you mean hooks.beforeCall?",
  );
});

async function messageOf(attempt: () => unknown): Promise<string> {
  try {
    const opened = await attempt();
    onTestFinished(() => (opened as { close?: () => Promise<void> } | undefined)?.close?.());
  } catch (error) {
    return (error as Error).message;
  }
  return "nothing was refused";
}

interface FoundObject {
  readonly path: readonly string[];
  readonly keys: readonly string[];
}

/** Every object in a shape, with a name for each that the caller may choose. */
function objectsIn(shape: Shape, path: readonly string[] = []): readonly FoundObject[] {
  if (shape.kind === "value") return [];
  if (shape.kind !== "object") return objectsIn(shape.of, [...path, shape.kind === "list" ? "0" : "some"]);
  const inner = Object.entries(shape.keys).flatMap(([key, each]) => objectsIn(each, [...path, key]));
  return [{ path, keys: Object.keys(shape.keys) }, ...inner];
}

function shapesIn(shape: Shape): readonly Shape[] {
  if (shape.kind === "value") return [];
  if (shape.kind !== "object") return [shape, ...shapesIn(shape.of)];
  return [shape, ...Object.values(shape.keys).flatMap(shapesIn)];
}

function isObjectShape(value: unknown): value is ObjectShape {
  return typeof value === "object" && value !== null && (value as ObjectShape).kind === "object";
}

function nest([first, ...rest]: readonly string[]): unknown {
  const inner = rest.length === 0 ? 1 : nest(rest);
  return first === "0" ? [inner] : { [first!]: inner };
}
