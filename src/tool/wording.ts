/** Names tools and arguments as the caller's dialect does. */
export interface Wording {
  /** `offset=2001`, with the name and number converted to the caller's dialect; for `tool`, if it is another's argument. */
  argument(name: string, value: number | string | boolean, tool?: string): string;
  /** The caller's name for a tool. A tool that is named is offered to the model from then on. */
  tool(name: string): string;
  /** Whether the caller may call a tool; an answer should name no other. */
  hasTool(name: string): boolean;
}

export const canonicalWording: Wording = Object.freeze<Wording>({
  argument: (name, value) => `${name}=${value}`,
  tool: (name) => name,
  hasTool: () => true,
});

/** How to read a stored text from some place on; empty if the caller cannot read files. */
export function describeReading(
  { line, column }: { line: number; column?: number },
  wording: Wording,
): string {
  if (!wording.hasTool("file_read")) return "";
  const at = [wording.argument("offset", line, "file_read")];
  if (column !== undefined) at.push(wording.argument("column", column, "file_read"));
  return `read what is missing with ${wording.tool("file_read")}, ${at.join(", ")}`;
}

/** What tools are for, by name: `{ shell_kill: "stop it" }`. */
export type ToolUses = Readonly<Record<string, string>>;

/** `; read it with Read, stop it with Kill`, naming only tools that the caller has; empty if it has none of them. */
export function nameUses(uses: ToolUses, wording: Wording): string {
  const named = Object.entries(uses)
    .filter(([tool]) => wording.hasTool(tool))
    .map(([tool, use]) => `${use} with ${wording.tool(tool)}`);
  return named.length === 0 ? "" : `; ${named.join(", ")}`;
}
