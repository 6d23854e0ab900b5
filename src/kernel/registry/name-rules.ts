import { describeThrown } from "../../shared/text/describe-thrown.ts";
import { checkName } from "../../tool/define-tool.ts";
import type { ErrorCode } from "../../tool/tool-error.ts";
import { isTool } from "./is-tool.ts";
import type { RegisteredTool, TakenName } from "./registry.ts";
import type { Layer, ProvidedTool } from "./tool-source.ts";

/** Why a tool may not have its name, or one of its aliases. */
export interface NameRefusal {
  readonly kind: "name" | "alias";
  readonly name: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** Which tools have a name now. */
export interface NameHolders {
  /** All tools with the name; the first one is the one that is called. */
  holders(name: string): readonly RegisteredTool[];
  aliasHolders(alias: string): readonly AliasHolder[];
  readonly takenName: TakenNames;
}

export type TakenNames = (name: string, layer: Layer) => TakenName | undefined;

export interface AliasHolder {
  readonly tool: string;
  readonly source: string;
  readonly layer: Layer;
}

/** Prefixes that say where a tool comes from. One without a layer is added by a dialect and never part of a name. */
const reservedPrefixes: readonly { prefix: string; layer?: Layer }[] = [
  { prefix: "mcp_", layer: "mcp" },
  { prefix: "internal_" },
];

export function refuseName(
  { tool, override }: ProvidedTool,
  layer: Layer,
  index: NameHolders,
): NameRefusal | undefined {
  const malformed = refuseMalformed(tool);
  if (malformed !== undefined || override === true) return malformed;

  const { name } = tool;
  const reserved = reservedPrefixes.find(({ prefix }) => name.startsWith(prefix));
  if (reserved !== undefined && reserved.layer !== layer) {
    return {
      kind: "name",
      name,
      code: "invalid-input",
      message: `${name} starts with the reserved prefix ${reserved.prefix}`,
      hint: "Rename it, or set override: true if this is intended.",
    };
  }
  const sibling = index.holders(name).find((holder) => holder.layer === layer);
  if (sibling !== undefined) return taken("name", name, `is already provided by ${sibling.source}`);
  return refuseProtected("name", name, { tool: name, layer, index });
}

/** A built-in tool's name, in the runtime's dialect too, is never taken by accident: another tool would then run in its place. */
function refuseProtected(
  kind: NameRefusal["kind"],
  name: string,
  { tool, layer, index }: { tool: string; layer: Layer; index: NameHolders },
): NameRefusal | undefined {
  if (layer !== "builtin") {
    const holders = [...index.holders(name), ...index.aliasHolders(name)];
    if (holders.some((holder) => holder.layer === "builtin"))
      return taken(kind, name, "is the name of a built-in tool");
  }
  const meant = index.takenName(name, layer);
  if (meant === undefined || (layer === "builtin" && meant.tool === tool)) return undefined;
  const offered = meant.as === name ? "" : `would be offered as ${meant.as}, which `;
  return taken(kind, name, `${offered}is the name of the built-in tool ${meant.tool}`);
}

export function refuseAlias(
  alias: string,
  { tool, override }: ProvidedTool,
  layer: Layer,
  index: NameHolders,
): NameRefusal | undefined {
  if (override === true) return undefined;
  const sibling = index.aliasHolders(alias).find((holder) => holder.layer === layer);
  if (sibling !== undefined)
    return taken("alias", alias, `is already an alias of ${sibling.tool} from ${sibling.source}`);
  return refuseProtected("alias", alias, { tool: tool.name, layer, index });
}

function refuseMalformed(tool: unknown): NameRefusal | undefined {
  const hint = "Make it with defineTool.";
  if (!isTool(tool))
    return { kind: "name", name: "a tool", code: "invalid-input", message: "this is not a tool", hint };
  try {
    checkName(tool.name, "a tool's name");
    return undefined;
  } catch (error) {
    return { kind: "name", name: tool.name, code: "invalid-input", message: describeThrown(error), hint };
  }
}

function taken(kind: NameRefusal["kind"], name: string, why: string): NameRefusal {
  return {
    kind,
    name,
    code: "already-exists",
    message: `${name} ${why}`,
    hint: `Choose another ${kind}, or set override: true if this is intended.`,
  };
}
