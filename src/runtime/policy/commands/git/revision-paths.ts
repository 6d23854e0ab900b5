import type { Word } from "../../../shell-syntax/shell-script.ts";
import { knownText } from "../known-words.ts";
import type { Report } from "../report.ts";

/** Which files a revision, range or path may name: `HEAD:src/a.ts`, `../other`, `.env`. */
export function readRevisionOrPath(word: Word, report: Report): void {
  const text = knownText(word);
  if (text === undefined) {
    if (word.kind === "glob") report.read(word);
    else report.ask(`what ${word.source} names is known only when it runs`);
    return;
  }
  for (const path of pathsIn(text)) {
    const isRange = /^[^/]*[^/.]\.\.\.?(?:[^/.]|$)/.test(path) || /^\.\.\.?[^/.]/.test(path);
    if (!isRange && /[./]/.test(path)) report.read(path);
  }
}

/**
 * `HEAD:path`, `:path`, `:0:path`, `:/path` and `:(magic)path`; what a path is excluded by names nothing to read. A
 * revision may hold colons of its own, as in `HEAD@{10:00}:path`, so that there is more than one place to look.
 */
function pathsIn(text: string): string[] {
  if (/^:(?:[!^]|\([^)]*exclude)/.test(text)) return [];
  if (text.startsWith(":(")) return [text.slice(text.indexOf(")") + 1)];
  const starts = [...text.matchAll(/:\/?/g)].map((colon) => colon.index + colon[0].length);
  return (starts.length === 0 ? [0] : starts).map((start) => text.slice(start));
}
