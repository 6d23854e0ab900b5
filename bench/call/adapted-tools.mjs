import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineTool, openRuntime } from "../../dist/index.js";
import { fromAiSdk, fromLangChain, fromOpenAiAgents } from "../../dist/interop/index.js";
import { ekoTools } from "../../dist/systems/eko/index.js";
import { flytoTools } from "../../dist/systems/flyto/index.js";
import { kodeTools } from "../../dist/systems/kode/index.js";
import { pulseTools } from "../../dist/systems/pulse/index.js";
import { checkEcho, echoDescription as description, echo, echoInput, echoSchema } from "./echo.mjs";

const name = "echo";
const parameters = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const native = "native";
const nativeZod = "native, Zod";

/** The same tool, written for each system and for this runtime. `over` is the native one with the same kind of schema. */
const kinds = {
  [native]: () => [defineTool({ name, description, input: parameters, run: echo })],
  [nativeZod]: () => [defineTool({ name, description, input: echoSchema, run: echo })],
  kode: () => kodeTools([{ name, description, input_schema: parameters, exec: echo }]),
  eko: () => {
    const execute = async ({ text }) => ({ content: [{ type: "text", text }] });
    return ekoTools([{ name, description, parameters, execute }]);
  },
  pulse: () => pulseTools([{ name, description, inputSchema: echoSchema, execute: echo }]),
  flyto: () => {
    const Execute = async (_ctx, { text }) => ({ Output: text });
    const told = { Name: () => name, Description: () => description, InputSchema: () => parameters };
    return flytoTools([{ ...told, Execute }]);
  },
  "AI SDK": () =>
    fromAiSdk({ echo: { description, inputSchema: { jsonSchema: parameters }, execute: echo } }),
  LangChain: () => {
    const invoke = async ({ args }) => ({ content: args.text });
    return fromLangChain([{ name, description, schema: parameters, invoke }]);
  },
  "OpenAI Agents": () => {
    const invoke = async (_run, text) => JSON.parse(text).text;
    return fromOpenAiAgents([{ type: "function", name, description, parameters, invoke }]);
  },
};

/** Calls of a trivial tool that was written for another system, and of the same one as a tool of this runtime. */
export async function openAdaptedTools(folder) {
  const [workspace, toolFolder] = [join(folder, "adapted"), join(folder, "internal-tools")];
  await Promise.all([mkdir(workspace), mkdir(join(toolFolder, "words"), { recursive: true })]);
  await writeFile(join(toolFolder, "words", "echo.cjs"), internalTool);
  const common = { workspace, store: "memory:", permissions: { mode: "auto" } };
  const opening = Object.entries(kinds).map(([kind, make]) =>
    openCandidate(kind, name, { ...common, tools: make() }),
  );
  return Promise.all([
    ...opening,
    openCandidate("internal", "words_echo", { ...common, toolFolders: [toolFolder] }),
  ]);
}

const internalTool = `module.exports = {
  description: ${JSON.stringify(description)},
  inputSchema: ${JSON.stringify(parameters)},
  handler: async ({ text }) => ({ content: [{ type: "text", text }] }),
};`;

async function openCandidate(kind, toolName, options) {
  const runtime = await openRuntime(options);
  const session = await runtime.openSession();
  return {
    name: kind,
    operations: 1,
    run: async () => checkEcho((await session.call(toolName, echoInput)).text),
    close: () => runtime.close(),
  };
}

/** How many microseconds each system's tool adds to a native one. */
export function addedByAdapters(times) {
  return [...times]
    .filter(([kind]) => kind !== native && kind !== nativeZod)
    .map(([kind, { best, median }]) => {
      const over = times.get(kind === "pulse" ? nativeZod : native);
      return { name: `${kind} over native`, best: best - over.best, median: median - over.median };
    });
}
