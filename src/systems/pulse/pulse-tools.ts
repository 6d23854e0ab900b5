import { defined } from "../../shared/options/defined.ts";
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
    traits: defined({ deferrable: deferLoading }),
    run: async (input: unknown, context: ToolContext) => tool.execute(input, toPulseContext(context)),
  });
}

function toPulseContext(context: ToolContext): PulseToolContext {
  return {
    // Made when it is used, because most tools never look at it.
    get abortSignal() {
      return context.signal;
    },
    onClarificationRequest: ({ question, context: about, defaultAnswer, timeout }) =>
      context.ask({
        text: about === undefined ? question : `${question}\n\n${about}`,
        ...defined({ default: defaultAnswer, timeoutMs: timeout }),
      }),
  };
}
