import type { Word } from "../../../shell-syntax/shell-script.ts";
import { knownText } from "../known-words.ts";
import type { Report } from "../report.ts";

/** Reports the files that a revision, range or path may name: `HEAD:src/a.ts`, `../other`, `.env`. */
export function readRevisionOrPath(word: Word, report: Report): void {
  const text = knownText(word);
  if (text === undefined) {
    if (word.kind === "glob") report.read(word);
    else report.ask(`${word.source} could be any revision or file`);
    return;
  }
  for (const path of pathsIn(text)) {
    const isRange = /^[^/]*[^/.]\.\.\.?(?:[^/.]|$)/.test(path) || /^\.\.\.?[^/.]/.test(path);
    if (!isRange && /[./]/.test(path)) report.read(path);
  }
}

/**
 * * The paths in `HEAD:path`, `:path`, `:0:path`, `:/path` and `:(magic)path`; an excluding pathspec reads nothing. A
 * revision may contain colons, as in `HEAD@{10:00}:path`, so every colon may start a path.
 */
function pathsIn(text: string): string[] {
  if (/^:(?:[!^]|\([^)]*exclude)/.test(text)) return [];
  if (text.startsWith(":(")) return [text.slice(text.indexOf(")") + 1)];
  const starts = [...text.matchAll(/:\/?/g)].map((colon) => colon.index + colon[0].length);
  return (starts.length === 0 ? [0] : starts).map((start) => text.slice(start));
}
