import { posix } from "node:path";
import type { FoundEntry, MachineFacts } from "../command-finding.ts";
import { literalWord } from "../known-words.ts";
import type { Report } from "../report.ts";

/**
 * Names that `find` finds and another program writes stand nowhere in the command. Those that count are reported like
 * files that it names: protected ones, links, and the entries directly in the folder.
 */
export async function writeFound(report: Report, world: MachineFacts): Promise<void> {
  for (const [folder, { mayBeNamed, isMoved }] of report.found.writesBeneath) {
    const found = await world.listBelow(folder, { most: maxFound });
    if (isMoved) for (const path of foldersToMove(folder, found, mayBeNamed)) report.move(literalWord(path));
    const told = new Set(found?.flatMap((entry) => toldPath(entry, mayBeNamed, world)));
    if (found === undefined || told.size > maxTold)
      return report.ask(`what is in ${folder} is too much to look at`);
    for (const path of told) report.write(literalWord(`${folder}/${path}`));
  }
}

/** The folders that may be found, with what started the search; if there are too many, that stands for all of them. */
function foldersToMove(
  start: string,
  found: readonly FoundEntry[] | undefined,
  mayBeNamed: (name: string) => boolean,
): readonly string[] {
  const inside = found?.filter(({ path, kind }) => kind === "directory" && mayBeNamed(posix.basename(path)));
  if (inside === undefined || inside.length > maxTold) return [start];
  const folders = inside.map(({ path }) => `${start}/${path}`);
  return mayBeNamed(posix.basename(start)) ? [start, ...folders] : folders;
}

const maxFound = 10_000;
// Each of them is judged, and stands in the verdict.
const maxTold = 200;

function toldPath(
  { path, kind }: FoundEntry,
  mayBeNamed: (name: string) => boolean,
  { isProtectedName }: MachineFacts,
): readonly string[] {
  const names = path.split("/");
  const isFound = mayBeNamed(names.at(-1)!);
  if (isFound && (kind === "other" || names.length === 1 || names.some(isProtectedName))) return [path];
  // A folder may be one that is loaded as code.
  return kind === "directory" && names.length === 1 && !isProtectedName(path) ? [path] : [];
}
