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
  const colon = text.indexOf(":");
  const path = colon > 0 ? text.slice(colon + 1) : text;
  const isRange = /^[^/]*[^/.]\.\.\.?(?:[^/.]|$)/.test(path) || /^\.\.\.?[^/.]/.test(path);
  if (!isRange && !text.startsWith(":(") && !text.startsWith(":!") && /[./]/.test(path)) report.read(path);
}
