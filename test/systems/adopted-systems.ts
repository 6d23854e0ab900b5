import { z } from "zod";
import { fromAiSdk, fromLangChain, fromOpenAiAgents } from "../../src/capabilities/interop/index.ts";
import { defineTool, type RuntimeOptions } from "../../src/index.ts";
import { ekoTools } from "../../src/systems/eko/index.ts";
import { flytoTools } from "../../src/systems/flyto/index.ts";
import { kodeTools } from "../../src/systems/kode/index.ts";
import { pulseTools } from "../../src/systems/pulse/index.ts";
import { putFiles } from "../support/open-file-session.ts";

/** What a foreign tool does with its arguments and with whatever its system gives it beside them. */
export type Behave = (args: Record<string, unknown>, context: unknown) => unknown;

export interface AdoptedSystem {
  readonly system: string;
  /** What a runtime needs for a tool of that system which behaves so. It takes a text. */
  adopt(behave: Behave, folder: string): Promise<RuntimeOptions> | RuntimeOptions;
  /** The name of the tool. */
  readonly tool: string;
  /** A result with a text for the model, and something for code, as the system's tools return it. */
  result(text: string, data?: unknown): unknown;
}

const parameters = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const description = "Behaves as it likes.";
const textPart = (text: string) => [{ type: "text", text }];
const plain = (text: string, data?: unknown) => (data === undefined ? text : { text, data });

/** Every way in which a tool of another system becomes a tool of this runtime, and our own for comparison. */
export const adoptedSystems: readonly AdoptedSystem[] = [
  {
    system: "our own",
    tool: "own_odd",
    adopt: (run) => ({
      tools: [defineTool({ name: "own_odd", description, params: { text: { type: "string" } }, run })],
    }),
    result: plain,
  },
  {
    system: "toolwright/kode",
    tool: "kode_odd",
    adopt: (exec) => ({
      tools: kodeTools([{ name: "kode_odd", description, input_schema: parameters, exec }]),
    }),
    result: plain,
  },
  {
    system: "toolwright/eko",
    tool: "eko_odd",
    adopt: (behave) => ({
      tools: ekoTools([{ name: "eko_odd", description, parameters, execute: behave as never }]),
    }),
    result: (text, extInfo) => ({ content: textPart(text), extInfo }),
  },
  {
    system: "toolwright/pulse",
    tool: "pulse_odd",
    adopt: (behave) => {
      const inputSchema = z.object({ text: z.string() });
      return {
        tools: pulseTools([{ name: "pulse_odd", description, inputSchema, execute: behave as never }]),
      };
    },
    result: plain,
  },
  {
    system: "toolwright/internal",
    tool: "shop_odd",
    async adopt(behave, folder) {
      const file = `module.exports = {
        description: ${JSON.stringify(description)},
        inputSchema: ${JSON.stringify(parameters)},
        handler: (args, ctx) => ctx.service.behave(args, ctx),
      };`;
      await putFiles(folder, { "shop/odd.cjs": file });
      return { toolFolders: [{ path: folder, context: { service: { behave } } }] };
    },
    result: (text, structuredContent) => ({ content: textPart(text), structuredContent }),
  },
  {
    system: "toolwright/flyto",
    tool: "flyto_odd",
    adopt: (behave) => ({
      tools: flytoTools([
        {
          Name: () => "flyto_odd",
          Description: () => description,
          InputSchema: () => parameters,
          Execute: (ctx, input) => behave(input as Record<string, unknown>, ctx) as never,
        },
      ]),
    }),
    result: (Output, Data) => ({ Output, Data }),
  },
  {
    system: "fromAiSdk",
    tool: "ai_sdk_odd",
    adopt: (execute) => ({
      tools: fromAiSdk({ ai_sdk_odd: { description, inputSchema: { jsonSchema: parameters }, execute } }),
    }),
    result: plain,
  },
  {
    system: "fromLangChain",
    tool: "lang_chain_odd",
    adopt: (behave) => ({
      tools: fromLangChain([
        {
          name: "lang_chain_odd",
          description,
          schema: parameters,
          invoke: (call: { args: Record<string, unknown> }, config: unknown) => behave(call.args, config),
        },
      ]),
    }),
    result: (content, artifact) => ({ content, artifact }),
  },
  {
    system: "fromOpenAiAgents",
    tool: "agents_odd",
    adopt: (behave) => ({
      tools: fromOpenAiAgents([
        {
          type: "function",
          name: "agents_odd",
          description,
          parameters,
          invoke: (_run: unknown, text: string, details: unknown) => behave(JSON.parse(text), details),
        },
      ]),
    }),
    result: plain,
  },
];
