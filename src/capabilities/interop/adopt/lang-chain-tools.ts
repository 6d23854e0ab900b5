import { isPlainObject } from "../../../shared/json.ts";
import { type AnyTool, defineTool } from "../../../tool/define-tool.ts";
import { createCheckedSchema, type SchemaDeclaration } from "../../../tool/input-schema.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { toAdoptedPart } from "./adopted-part.ts";

/** A LangChain tool, by its shape, so that LangChain need not be installed. */
export interface ForeignLangChainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  // biome-ignore lint/complexity/noBannedTypes: LangChain's own signature depends on its type parameters
  readonly invoke: Function;
}

/** LangChain's tools as tools of this runtime. */
export function fromLangChain(tools: readonly ForeignLangChainTool[]): AnyTool[] {
  return tools.map((tool) =>
    defineTool({
      name: tool.name,
      description: tool.description || tool.name,
      // As JSON Schema: LangChain applies its own schema, with its conversions, to the plain arguments.
      input: createCheckedSchema(tool.schema as SchemaDeclaration).json,
      run: async (args: unknown, { callId, signal }: ToolContext) => {
        // Called with a whole call, it returns a message, which also has data that the model is not shown.
        const call = { type: "tool_call", id: callId, name: tool.name, args };
        return fromMessage(await tool.invoke(call, { signal }));
      },
    }),
  );
}

function fromMessage(message: unknown): unknown {
  if (typeof message !== "object" || message === null || !("content" in message)) return message;
  const { content, artifact, status } = message as Record<string, unknown>;
  const parts = Array.isArray(content) ? content.map(toAdoptedPart) : [toAdoptedPart(content)];
  if (status === "error") {
    const texts = parts.map((part) => (part.type === "text" ? part.text : ""));
    throw new ToolError("tool-failed", texts.join("\n") || "the tool reported an error without a message");
  }
  return { content: parts, data: artifact ?? parseData(content) };
}

/** LangChain writes what a tool returns as JSON; code still wants the value. */
function parseData(content: unknown): unknown {
  if (typeof content !== "string" || !/^[[{]/.test(content)) return undefined;
  try {
    const value: unknown = JSON.parse(content);
    return isPlainObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
