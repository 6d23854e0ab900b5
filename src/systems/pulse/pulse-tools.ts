import { type AnyTool, defineTool } from "../../tool/define-tool.ts";
import type { SchemaDeclaration } from "../../tool/input-schema.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import type { PulseTool, PulseToolContext } from "./pulse-types.ts";

/** Tools written for Pulse's engine, as tools of this runtime. */
export function pulseTools(tools: readonly PulseTool[] | Readonly<Record<string, PulseTool>>): AnyTool[] {
  return Object.values(tools).map(pulseTool);
}

export function pulseTool(tool: PulseTool): AnyTool {
  const { name, description, inputSchema, deferLoading } = tool;
  if (typeof tool.execute !== "function") throw new TypeError(`${name}: execute must be a function`);
  return defineTool({
    name,
    description: description || name,
    input: inputSchema as SchemaDeclaration,
    traits: { ...(deferLoading !== undefined && { deferrable: deferLoading }) },
    run: async (input: unknown, context: ToolContext) => tool.execute(input, toPulseContext(context)),
  });
}

function toPulseContext({ signal, ask }: ToolContext): PulseToolContext {
  return {
    abortSignal: signal,
    onClarificationRequest: ({ question, context, defaultAnswer, timeout }) =>
      ask({
        text: context === undefined ? question : `${question}\n\n${context}`,
        ...(defaultAnswer !== undefined && { default: defaultAnswer }),
        ...(timeout !== undefined && { timeoutMs: timeout }),
      }),
  };
}
