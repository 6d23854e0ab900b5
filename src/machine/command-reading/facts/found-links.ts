import { posix } from "node:path";
import { readIndex } from "../git/read-index.ts";
import type { CheckContext } from "../program.ts";
import type { Listing, Report } from "../report.ts";
import { isPattern, withoutEscapes } from "./expand-glob.ts";
import type { MachineFacts } from "./machine-facts.ts";

/**
 * A program that is given the name of a link goes where the link leads. Asks if one of the names that an earlier command
 * finds may be such a link to another place: it stands nowhere in the command.
 */
export async function askAboutFoundLinks(
  { folder, mayBeNamed, source, hasNoLinks = false }: Omit<Listing, "isNullSeparated" | "prefix" | "names">,
  report: Report,
  { directory, world }: { readonly directory: string | undefined; readonly world: MachineFacts },
): Promise<void> {
  // Where it is unknown in which folder a command runs, that has been asked about.
  if (hasNoLinks || directory === undefined) return;
  const isTracked = await trackedLinks(source, world);
  const isFound = (name: string) => (mayBeNamed?.(name) ?? true) && (isTracked?.(name) ?? true);
  if (isTracked === nothing) return;
  if (await world.leadsOut(posix.resolve(directory, folder), isFound))
    report.ask(`a link in ${folder} leads to another place, and its name would be among those found`, {
      onlyReads: true,
    });
}

const nothing = () => false;

/** Finds the links among names that come from git's index alone; undefined if other names are possible. */
async function trackedLinks(
  source: Listing["source"],
  world: MachineFacts,
): Promise<((name: string) => boolean) | undefined> {
  if (source === undefined || source === "past" || source.index === undefined || source.places !== undefined)
    return undefined;
  const entries = await readIndex(source.index, world);
  // A repository whose index lies elsewhere may have its files anywhere.
  const root = /^(.*)\/\.git\/index$/s.exec(source.index)?.[1];
  if (entries === undefined || root === undefined) return undefined;
  const tracked = new Set(entries.map(({ path }) => path));
  const links = new Set<string>();
  // By folder, because there are far fewer of them than files.
  for (const folder of new Set(entries.map(({ path }) => posix.dirname(path)))) {
    const found = await world.listBelow(posix.join(root, folder), { most: maxInFolder, isFlat: true });
    if (found === undefined) return undefined;
    for (const { path, kind } of found)
      if (kind === "other" && tracked.has(posix.join(folder, path))) links.add(path);
  }
  return links.size === 0 ? nothing : (name) => links.has(name);
}

const maxInFolder = 50_000;

/** Asks if a program that goes through links would get from the paths that it reads to somewhere else. */
export async function followLinks(report: Report, { name, world }: CheckContext): Promise<void> {
  for (const path of [...report.found.reads]) {
    if (await world.leadsOut(withoutPattern(path)))
      return report.ask(`${name} would follow links from ${path} to other places`, { onlyReads: true });
  }
}

/** The folder in which a pattern is looked for. */
export function withoutPattern(path: string): string {
  const parts = path.split("/");
  const first = parts.findIndex(isPattern);
  return first === -1 ? path : withoutEscapes(parts.slice(0, first).join("/")) || "/";
}
