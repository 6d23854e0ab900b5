import { escapeControls, escapeLine } from "../text/escape-controls.ts";

/** Text of others in Markdown: in a fence longer than any in it, it cannot end the block, nor show links and images. */
export function fencedText(text: string, language = "text"): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${escapeControls(text).replace(/\n?$/, "\n")}${fence}`;
}

/** Text of others within a line of Markdown: it cannot end the span. Empty for no text. */
export function codeSpan(text: string): string {
  const line = escapeLine(text);
  if (line.trim() === "") return "";
  const fence = "`".repeat(longestRun(line) + 1);
  const space = fence.length > 1 || line.startsWith(" ") ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
