import { readTokens } from "../../../shared/glob/read-tokens.ts";

/** The patterns of a rule such as `Edit(src/**, test/**)`. A comma in braces or after a `\` separates nothing. */
export function splitPatterns(text: string): readonly string[] {
  const patterns = [""];
  let depth = 0;
  for (const { kind, text: part } of readTokens(text)) {
    if (part === "{") depth += 1;
    if (part === "}" && depth > 0) depth -= 1;
    if (kind === "character" && part === "," && depth === 0) patterns.push("");
    else patterns[patterns.length - 1] += part;
  }
  // A `{` that is never closed is reported with the whole text.
  if (depth > 0) return [text.trim()];
  const named = patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== "");
  return named.length > 0 ? named : [text.trim()];
}
