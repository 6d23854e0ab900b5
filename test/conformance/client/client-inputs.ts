import type { JsonSchema } from "../../../src/index.ts";

interface OfferedTool {
  readonly name: string;
  readonly inputSchema: JsonSchema;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a tool is to be called with: what the suite says, or else something that its schema takes. */
export function inputsFor(
  tool: OfferedTool,
  {
    offered,
    toolCalls = [],
  }: { offered: readonly OfferedTool[]; toolCalls?: readonly ToolCall[] | undefined },
): readonly object[] {
  // It is to be told what the client has left of the other's schema.
  if (tool.name === "json_schema_echo") {
    const described = offered.find(({ name }) => name === "json_schema_2020_12_tool");
    return [{ schema: described?.inputSchema ?? {} }];
  }
  const asked = toolCalls.filter(({ name }) => name === tool.name);
  if (asked.length > 0) return asked.map((call) => withoutNulls(call.arguments));
  const { required = [], properties = {} } = tool.inputSchema;
  return [Object.fromEntries(required.map((name) => [name, sampleOf(properties[name])]))];
}

/** Where a schema takes no null, a caller leaves the argument out. */
function withoutNulls(input: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

function sampleOf(schema: JsonSchema | boolean | undefined): unknown {
  const type = typeof schema === "object" ? schema.type : undefined;
  if (type === "number" || type === "integer") return 1;
  if (type === "boolean") return true;
  return type === "object" ? {} : "x";
}
