import { relativeInside } from "../../../shared/relative-inside.ts";
import type { MachineFacts } from "../command-finding.ts";
import { readIndex } from "../git/read-index.ts";
import type { NameSource } from "../report.ts";
import { withoutPattern } from "./follow-links.ts";

/**
 * Why one of the names that a command prints would not reach the next program as just a file name: it starts with a dash
 * or, unless names arrive whole, it would be taken apart; undefined if all of them are plain.
 */
export async function findNameProblem(
  source: NameSource | undefined,
  { isWhole, world }: { readonly isWhole: boolean; readonly world: MachineFacts },
): Promise<string | undefined> {
  const isPlain = (path: string) => !/(?:^|\/)-/.test(path) && (isWhole || !/[\s'"\\\p{Cc}]/u.test(path));
  const paths = await pathsOf(source, { isFlat: isWhole, world });
  if (paths === undefined) return "the file names that it would get are too many to look at, or unknown";
  const odd = paths.find((path) => !isPlain(path));
  return odd === undefined
    ? undefined
    : `the file name ${JSON.stringify(odd)} would become several arguments, or an option`;
}

async function pathsOf(
  source: NameSource | undefined,
  { isFlat, world }: { readonly isFlat: boolean; readonly world: MachineFacts },
): Promise<readonly string[] | undefined> {
  if (source === undefined || source === "past") return undefined;
  const paths: string[] = [];
  for (const place of source.places ?? []) {
    const folder = withoutPattern(place);
    const found = await world.listBelow(folder, { most, isFlat: isFlat || source.isFlat === true });
    if (found === undefined) return undefined;
    paths.push(relativeInside(world.root ?? world.directory, folder) ?? folder);
    for (const { path } of found) paths.push(path);
  }
  if (source.index === undefined) return paths;
  const entries = await readIndex(source.index, world);
  return entries === undefined ? undefined : [...paths, ...entries.map(({ path }) => path)];
}

// A large project with its dependencies.
const most = 50_000;
