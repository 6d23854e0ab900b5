import type { BigIntStats } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { JudgedRequest } from "../decide.ts";
import type { Place } from "./place.ts";

/** What a person is asked about: where each path leads, and what is there now of what would be changed or run. */
export type SeenState = ReadonlyMap<string, { readonly path: string; readonly state: string }>;

/** Where a path led. */
export type SeenPlace = Place & { readonly followLast: boolean };

/**
 * Looks at everything that a verdict is about, to be compared when the answer has come. Files are told apart by their
 * inode, size and times: even a file that was replaced by one with the same content and time has another change time.
 */
export async function lookAtState(
  requests: readonly JudgedRequest[],
  places: ReadonlyMap<string, SeenPlace>,
): Promise<SeenState> {
  const seen = new Map<string, { path: string; state: string }>();
  for (const [key, { written: path, canonical, kind, links }] of places)
    seen.set(`place ${key}`, { path, state: JSON.stringify([canonical, kind, links]) });
  const changed = new Set(requests.flatMap((request) => changedPath(request) ?? []));
  for (const start of changed)
    for (const [path, state] of await statesIn(start)) seen.set(`file ${path}`, { path, state });
  for (const path of ranFiles(requests)) seen.set(`run ${path}`, { path, state: await contentState(path) });
  return seen;
}

/** A path that is not the same any more; undefined if all are. */
export function findChanged(before: SeenState, now: SeenState): string | undefined {
  for (const [key, { path, state }] of before) if (now.get(key)?.state !== state) return path;
  for (const [key, { path }] of now) if (!before.has(key)) return path;
  return undefined;
}

function changedPath({ action, path }: JudgedRequest): string | undefined {
  return action === "write" ? path?.real.absolute : undefined;
}

/** Files that a command may run or obey: whoever approves `bash build.sh` has seen one build.sh and no other. */
function ranFiles(requests: readonly JudgedRequest[]): ReadonlySet<string> {
  const named = requests.flatMap(({ command }) => command?.files ?? []);
  if (named.length === 0) return new Set();
  // What another command of the script reads may be what it hands on to be run.
  const read = requests.flatMap(({ action, path }) => (action === "read" ? (path?.real.absolute ?? []) : []));
  return new Set([...named, ...read]);
}

/** Of the file that links lead to. A folder is not looked into. */
async function contentState(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  if (stats === undefined) return "missing";
  if (!stats.isFile()) return "no file";
  return stampOf(stats);
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/**
 * A file by what it is, and a folder by what it holds. What is in the files of a folder does not count: it goes with them,
 * and somebody may be writing to one all the time.
 */
async function statesIn(path: string): Promise<Map<string, string>> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  if (stats === undefined) return new Map([[path, "missing"]]);
  if (!stats.isDirectory()) {
    return new Map([[path, stampOf(stats)]]);
  }
  const states = new Map([[path, `folder ${stats.dev} ${stats.ino}`]]);
  const waiting = [path];
  for (let at = waiting.shift(); at !== undefined && states.size < maxEntries; at = waiting.shift()) {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const isFolder = entry.isDirectory();
      states.set(join(at, entry.name), isFolder ? "folder" : "file");
      // Git changes its own files whenever it is used.
      if (isFolder && entry.name !== ".git") waiting.push(join(at, entry.name));
    }
  }
  return states;
}

/** So many that nobody has looked at each, and few enough to look at in moments. */
const maxEntries = 5000;
