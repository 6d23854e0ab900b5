import { join } from "node:path";
import type { Word } from "../../shell-syntax/shell-script.ts";
import { knownText } from "../known-words.ts";
import type { Report } from "../report.ts";

/** Reports the files that a revision, range or path may name: `HEAD:src/a.ts`, `../other`, `.env`. */
export function readRevisionOrPath(word: Word, report: Report, repository: string | undefined): void {
  const text = knownText(word);
  if (text === undefined) {
    if (word.kind === "glob") report.read(word);
    else report.ask(`${word.source} could be any revision or file`);
    return;
  }
  if (text.includes(":")) {
    const paths = pathsIn(text);
    if (paths.length > maxPaths) report.ask("a revision has more colons than can be followed");
    for (const path of fewOf(paths)) readInRevision(path, report, repository);
    return;
  }
  // A range such as `main..feature/x` may be a path as well: as a path it must lead to nothing that is out of bounds.
  report.read(text);
}

/** Real revisions have three at most; each path is looked for on disk. */
const maxPaths = 16;

/** Of too many, those that name a file: the first if it has colons in its name, and the last if the revision has them. */
function fewOf(paths: readonly string[]): readonly string[] {
  if (paths.length <= maxPaths) return paths;
  return [...paths.slice(0, maxPaths / 2), ...paths.slice(-maxPaths / 2)];
}

/** Reports a path after a revision, which begins at the root of the repository, or in the current folder. */
export function readInRevision(path: string, report: Report, repository: string | undefined): void {
  report.read(path === "" ? "." : path);
  if (repository !== undefined) report.read(join(repository, path));
}

/**
 * The paths in `HEAD:path`, `:path`, `:0:path`, `:/path` and `:(magic)path`; an excluding pathspec reads nothing. A
 * revision may contain colons, as in `HEAD@{10:00}:path`, so every colon may start a path.
 */
function pathsIn(text: string): string[] {
  if (/^:(?:[!^]|\([^)]*exclude)/.test(text)) return [];
  if (text.startsWith(":(")) return [text.slice(text.indexOf(")") + 1)];
  return [...text.matchAll(/:\/?/g)].map((colon) => text.slice(colon.index + colon[0].length));
}
