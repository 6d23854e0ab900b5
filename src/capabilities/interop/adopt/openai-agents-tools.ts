import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { defined } from "../../../shared/options/defined.ts";
import { type AnyTool, defineTool } from "../../../tool/define-tool.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { toAdoptedPart } from "./adopted-part.ts";

/** A function tool of the OpenAI Agents SDK, by its shape, so that the SDK need not be installed. */
export interface ForeignOpenAiAgentsTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
  readonly timeoutMs?: number | undefined;
  // biome-ignore lint/complexity/noBannedTypes: the SDK's own signatures depend on its type parameters
  readonly invoke: Function;
  // biome-ignore lint/complexity/noBannedTypes: the same
  readonly needsApproval?: Function;
  // biome-ignore lint/complexity/noBannedTypes: the same
  readonly isEnabled?: Function;
}

export interface OpenAiAgentsOptions {
  /** The SDK's run context, which tools get beside their arguments, such as `new RunContext(…)`. */
  readonly runContext?: unknown;
}

/** Function tools of the OpenAI Agents SDK as tools of this runtime. */
export function fromOpenAiAgents(
  tools: readonly ForeignOpenAiAgentsTool[],
  { runContext = { context: {} } }: OpenAiAgentsOptions = {},
): AnyTool[] {
  return tools.map((tool) => {
    const { name, description, parameters, timeoutMs } = tool;
    return defineTool({
      name,
      description: description || name,
      input: parameters as JsonSchema,
      traits: defined({ timeoutMs }),
      run: async (input: unknown, context: ToolContext) => {
        if (tool.isEnabled !== undefined || tool.needsApproval !== undefined)
          await refuseUnwanted(tool, input, { runContext, context });
        const text = JSON.stringify(input);
        const details = {
          toolCall: { type: "function_call", callId: context.callId, name, arguments: text },
          // Made when it is used, because most tools never look at it.
          get signal() {
            return context.signal;
          },
        };
        return fromOutput(await tool.invoke(runContext, text, details));
      },
    });
  });
}

/** Refuses a call that the SDK's own runner would not make. */
async function refuseUnwanted(
  { name, isEnabled, needsApproval }: ForeignOpenAiAgentsTool,
  input: unknown,
  { runContext, context }: { readonly runContext: unknown; readonly context: ToolContext },
): Promise<void> {
  if (isEnabled !== undefined && !(await isEnabled(runContext, {})))
    throw new ToolError("unsupported", `${name} is switched off at the moment`);
  if (!(await needsApproval?.(runContext, input, context.callId))) return;
  const { approve } = await context.ask({
    text: `${name} asks for approval before it runs with ${JSON.stringify(input)}`,
    fields: { approve: { type: "boolean" } },
  });
  if (!approve) throw new ToolError("declined", `the person did not approve ${name}`);
}

function fromOutput(output: unknown): unknown {
  const parts = Array.isArray(output) ? output : [output];
  const isContent = parts.every((part) => typeof part === "object" && part !== null && "type" in part);
  return isContent && parts.length > 0 ? { content: parts.map(toAdoptedPart) } : output;
}
