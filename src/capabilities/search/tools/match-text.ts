import { countOf } from "../../../shared/text/count-of.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import type { FoundLine } from "../../../tool/services/search.ts";

/** Writes a line as grep prints it: `path:line:text` for a match, `path-line-text` for context. */
export function lineText(line: FoundLine): string {
  const mark = line.kind === "match" ? ":" : "-";
  return `${quoteControls(line.path)}${mark}${line.line}${mark}${markMatches(line)}`;
}

export function countText({ path, matches }: { readonly path: string; readonly matches: number }): string {
  return `${quoteControls(path)}:${matches}`;
}

function markMatches({ text, matches, cutBefore, cutAfter }: FoundLine): string {
  let marked = "";
  let done = 0;
  for (const [from, to] of matches) {
    marked += `${text.slice(done, from)}>>${text.slice(from, to)}<<`;
    done = to;
  }
  const before = cutBefore > 0 ? `(${countOf(cutBefore, "character")}) …` : "";
  const after = cutAfter > 0 ? `… (${countOf(cutAfter, "more character")})` : "";
  return `${before}${marked}${text.slice(done)}${after}`;
}
