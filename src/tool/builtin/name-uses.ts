import type { Wording } from "../wording.ts";

/** What tools are for, by name: `{ shell_kill: "stop it" }`. */
export type ToolUses = Readonly<Record<string, string>>;

/** `; read it with Read, stop it with Kill`, naming only tools that the caller has; empty if it has none of them. */
export function nameUses(uses: ToolUses, wording: Wording): string {
  const named = Object.entries(uses)
    .filter(([tool]) => wording.hasTool(tool))
    .map(([tool, use]) => `${use} with ${wording.tool(tool)}`);
  return named.length === 0 ? "" : `; ${named.join(", ")}`;
}
