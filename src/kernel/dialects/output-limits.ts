import { option, propertiesOf } from "../../shared/options/option.ts";
import type { RuleNames } from "../policy/index.ts";

/** How many characters of text a call's result has at most. */
export interface OutputLimits {
  /** For every tool that is not in `tools`. Default: 30,000, or the limit of the dialect or the tool. */
  readonly maxCharacters?: number;
  /** By tool name. */
  readonly tools?: Readonly<Record<string, number>>;
}

/** Enough for an answer that says which part it leaves out, and how to get that. */
export const leastOutputCharacters = 1000;

const characters = { type: "integer", minimum: leastOutputCharacters } as const;

export const outputOption = option<OutputLimits>({
  schema: {
    type: "object",
    description: "How much text of a result the caller gets",
    properties: propertiesOf<OutputLimits>({
      maxCharacters: { ...characters, description: "Of every tool" },
      tools: { type: "object", additionalProperties: characters, description: "Of a tool, by name" },
    }),
  },
  check: checkOutputLimits,
  example: { maxCharacters: 30_000 },
});

function checkOutputLimits({ maxCharacters, tools = {} }: OutputLimits): void {
  if (maxCharacters !== undefined) checkLimit("maxCharacters", maxCharacters);
  for (const [name, limit] of Object.entries(tools)) checkLimit(`tools.${name}`, limit);
}

function checkLimit(name: string, limit: unknown): void {
  if (Number.isSafeInteger(limit) && (limit as number) >= leastOutputCharacters) return;
  throw new TypeError(
    `output.${name} must be a whole number of at least ${leastOutputCharacters}; received ${JSON.stringify(limit)}`,
  );
}

/** The limit that the options set for a tool, by canonical name. It counts more than those of the dialect and the tool. */
export function outputLimits(
  { maxCharacters, tools = {} }: OutputLimits,
  { canonicalName }: Pick<RuleNames, "canonicalName">,
): (toolName: string) => number | undefined {
  const limits = new Map<string, number>();
  for (const [name, limit] of Object.entries(tools)) {
    const tool = canonicalName(name);
    // The tools of an MCP server are known only when it is connected.
    if (tool === undefined && !name.startsWith("mcp_"))
      throw new TypeError(`output.tools: there is no tool ${JSON.stringify(name)}`);
    limits.set(tool ?? name, limit);
  }
  return (toolName) => limits.get(toolName) ?? maxCharacters;
}
