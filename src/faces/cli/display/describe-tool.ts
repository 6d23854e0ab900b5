import type { PresentedTool } from "../../../kernel/dialects/dialect-view.ts";
import type { NameExplanation } from "../../../kernel/registry/registry.ts";
import { isPlainObject } from "../../../shared/json.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { escapeControls, escapeLine } from "../../../shared/text/escape-controls.ts";
import type { AnyTool } from "../../../tool/define-tool.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import { formatColumns } from "./format-columns.ts";

/** Everything that `toolwright tools <name>` shows. */
export interface ShownTool extends PresentedTool {
  readonly canonicalName: string;
  /** Its name in the session's dialect. */
  readonly offeredName: string;
  readonly aliases: readonly string[];
  readonly traits: AnyTool["traits"];
  readonly safety: AnyTool["safety"];
  readonly safetyLevel: AnyTool["safetyLevel"];
  readonly providedBy: Omit<NonNullable<NameExplanation["providedBy"]>, "tool" | "asAlias">;
  readonly shadowed: NameExplanation["shadowed"];
}

/** One tool in full, for a person. */
export async function describeTool(
  tool: ShownTool,
  { style }: Pick<CommandOutput, "style">,
): Promise<string> {
  const { providedBy, shadowed, aliases } = tool;
  const facts = [
    ...(tool.canonicalName === tool.name ? [] : [["canonical name", tool.canonicalName]]),
    ...(tool.offeredName === tool.name ? [] : [["offered as", tool.offeredName]]),
    ...(aliases.length > 0 ? [["aliases", aliases.join(", ")]] : []),
    ["traits", traitMarks(tool).join(", ")],
    ...(tool.denied === undefined ? [] : [["not offered", tool.denied]]),
    ["safety level", `${tool.safetyLevel} (${safetyWords[tool.safety]})`],
    ["provided by", describeSource(providedBy)],
    ...shadowed.map((other) => [
      "replaces",
      other.tool === tool.name ? describeSource(other) : `${other.tool}, ${describeSource(other)}`,
    ]),
  ];
  const text = [
    style("bold", tool.name),
    escapeControls(tool.description),
    "",
    ...(await describeParameters(tool.inputSchema)),
    "",
    escapeControls(await formatColumns(facts)),
    "",
  ];
  return text.join("\n");
}

function describeSource({ source, layer }: ShownTool["providedBy"]): string {
  return layer === "builtin" ? source : `${source} (${layer})`;
}

/** A tool's traits in a few words. */
export function traitMarks({ traits }: Pick<AnyTool, "traits">): string[] {
  const { readOnly, destructive, openWorld, idempotent, concurrencySafe } = traits;
  const effect = destructive ? "destructive" : "modifies";
  return [
    readOnly ? "read-only" : effect,
    ...(openWorld ? ["network"] : []),
    ...(idempotent && !readOnly ? ["idempotent"] : []),
    ...(concurrencySafe ? ["parallel"] : []),
  ];
}

const safetyWords: Record<AnyTool["safety"], string> = {
  "changes-nothing": "changes nothing, so there is nothing to undo",
  none: "no preview, no undo",
  preview: "can be previewed, not undone",
  undo: "can be undone, not previewed",
  "preview-and-undo": "can be previewed and undone",
};

async function describeParameters({
  properties = {},
  required = [],
  ...schema
}: JsonSchema): Promise<string[]> {
  const rows = Object.entries(properties).map(([name, property]) => {
    const parameter = isPlainObject(property) ? (property as JsonSchema) : {};
    const need = required.includes(name) ? "required" : describeDefault(parameter);
    return [
      `  ${escapeLine(name)}`,
      escapeLine(describeType(parameter)),
      escapeLine(need),
      escapeLine(parameter.description ?? ""),
    ];
  });
  if (rows.length > 0) return ["Parameters:", await formatColumns(rows)];
  const isPlain = Object.keys(schema).every((keyword) => plainKeywords.has(keyword));
  return [isPlain ? "No parameters." : `Parameters: ${escapeLine(JSON.stringify(schema))}`];
}

const plainKeywords = new Set(["type", "additionalProperties", "$schema", "description"]);

function describeDefault(parameter: JsonSchema): string {
  return parameter.default === undefined ? "optional" : `default ${JSON.stringify(parameter.default)}`;
}

function describeType({ type, enum: members, items, minimum, maximum }: JsonSchema): string {
  if (members !== undefined) return members.map((member) => JSON.stringify(member)).join(" | ");
  const name = type === undefined ? "any" : [type].flat().join(" | ");
  if (name === "array" && isPlainObject(items)) return `array of ${describeType(items as JsonSchema)}`;
  const range = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ];
  return range.length > 0 ? `${name} (${range.join(", ")})` : name;
}
