import { trimEndOf } from "../../../shared/text/trim-end-of.ts";
import { checkName } from "../../../tool/define-tool.ts";

export interface ToolFileName {
  readonly name: string;
  readonly group?: string;
  readonly action: string;
}

/** `["file"]`, `"read"` → `file_read` in group `file`: the path is the only place that states the name. */
export function composeToolName(folders: readonly string[], action: string): ToolFileName {
  const group = folders.join("_");
  const name = group === "" ? action : `${group}_${action}`;
  checkName(name, "the name made from the path");
  return { name, action, ...(group !== "" && { group }) };
}

/** Why a part of the path cannot be part of a tool's name, and what to rename it to. */
export function refusePathPart(part: string): string | undefined {
  if (/^[a-z0-9_]+$/.test(part)) return undefined;
  const words = part
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
  const better = trimEndOf(words.replace(/^_+/, ""), "_");
  const rule = "names are made of lower-case letters, digits and underscores";
  return better === "" ? `rename it: ${rule}` : `rename ${part} to ${better}: ${rule}`;
}
