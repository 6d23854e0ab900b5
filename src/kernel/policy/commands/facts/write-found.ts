import { isProtectedName } from "../../paths/judge-path.ts";
import type { FoundEntry, MachineFacts } from "../command-finding.ts";
import { literalWord } from "../known-words.ts";
import type { Report } from "../report.ts";

/**
 * Names that `find` finds and another program writes stand nowhere in the command. Those that count are reported like
 * files that it names: protected ones, links, and what is directly in the folder.
 */
export async function writeFound(report: Report, world: MachineFacts): Promise<void> {
  for (const [folder, mayBeNamed] of report.writesBeneath) {
    const found = await world.listBelow(folder, { most: maxFound });
    const told = new Set(found?.flatMap((entry) => toldPath(entry, mayBeNamed)));
    if (found === undefined || told.size > maxTold)
      return report.ask(`what is in ${folder} is too much to look at`);
    for (const path of told) report.write(literalWord(`${folder}/${path}`));
  }
}

const maxFound = 10_000;
// Each of them is judged, and stands in the verdict.
const maxTold = 200;

function toldPath({ path, kind }: FoundEntry, mayBeNamed: (name: string) => boolean): readonly string[] {
  const names = path.split("/");
  const isFound = mayBeNamed(names.at(-1)!);
  if (isFound && (kind === "other" || names.length === 1 || names.some(isProtectedName))) return [path];
  // A folder may be one that is loaded as code.
  return kind === "directory" && names.length === 1 && !isProtectedName(path) ? [path] : [];
}
