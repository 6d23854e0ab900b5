import type { BigIntStats } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";

/** Changes when an entry is replaced, and not with its content. */
export async function stampOfEntry(path: string): Promise<string> {
  const found = await statsOf(path);
  return found === undefined ? "" : `${found.dev} ${found.ino}`;
}

/** Changes with everything in a file or folder, up to a number of entries, also if a link leads to it. */
export async function stampOfTree(
  path: string,
  isCounted: (name: string) => boolean = () => true,
): Promise<string> {
  const budget = { left: maxEntries, isCounted };
  const own = await stampWithin(path, budget);
  if (!own.startsWith(linkMark)) return own;
  const target = await realpath(path).catch(() => undefined);
  return target === undefined ? own : `${own} ${await stampWithin(target, budget)}`;
}

// Enough for anybody's settings.
const maxEntries = 500;

const linkMark = "-> ";

async function stampWithin(
  path: string,
  budget: { left: number; readonly isCounted: (name: string) => boolean },
): Promise<string> {
  budget.left -= 1;
  const found = budget.left < 0 ? undefined : await statsOf(path);
  if (found === undefined) return "";
  if (found.isSymbolicLink()) return `${linkMark}${await readlink(path).catch(() => "")}`;
  if (!found.isDirectory()) return stampFrom(found);
  const names = (await readdir(path).catch(() => [])).filter(budget.isCounted).sort();
  const inside: string[] = [];
  for (const name of names) inside.push(`${name} ${await stampWithin(join(path, name), budget)}`);
  return `${found.ino} [${inside.join(", ")}]`;
}

/** Empty if nothing is there. */
export async function stampOfFile(path: string): Promise<string> {
  const found = await statsOf(path);
  return found === undefined ? "" : stampFrom(found);
}

function stampFrom({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

export function statsOf(path: string): Promise<BigIntStats | undefined> {
  return lstat(path, { bigint: true }).catch(() => undefined);
}
