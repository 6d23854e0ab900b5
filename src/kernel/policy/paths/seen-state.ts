import { lstat, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createFileStates, type FileStates, folderState, type Place } from "../../../machine/paths/index.ts";
import type { JudgedRequest } from "../rules/match-request.ts";

/** The state that a person is asked about: where each path leads, and the files that would be changed or run. */
export type SeenState = ReadonlyMap<string, { readonly path: string; readonly state: string }>;

/** Where a path led. */
export type SeenPlace = Place & { readonly followLast: boolean };

/** Looks at everything that a verdict is about, to be compared when the answer has come. */
export async function lookAtState(
  requests: readonly JudgedRequest[],
  { places, directory }: { places: ReadonlyMap<string, SeenPlace>; directory: string | undefined },
): Promise<SeenState> {
  const seen = new Map<string, { path: string; state: string }>();
  for (const [key, { written: path, canonical, kind, links }] of places)
    seen.set(`place ${key}`, { path, state: JSON.stringify([canonical, kind, links]) });
  const files = createFileStates();
  for (const path of usedFiles(requests)) seen.set(`used ${path}`, { path, state: await files.behind(path) });
  const changed = new Set(requests.flatMap((request) => changedPath(request) ?? []));
  const look = async (start: string) => {
    for (const [path, state] of await statesIn(start, files)) seen.set(`file ${path}`, { path, state });
  };
  for (const start of changed) await look(start);
  for (const path of usedFolders(requests, [...changed, ...(directory === undefined ? [] : [directory])]))
    if (seen.size < maxEntries && seen.get(`used ${path}`)?.state === folderState) await look(path);
  return seen;
}

/** Finds a path whose state has changed; undefined if there is no such path. */
export function findChanged(before: SeenState, now: SeenState): string | undefined {
  for (const [key, { path, state }] of before) if (now.get(key)?.state !== state) return path;
  for (const [key, { path }] of now) if (!before.has(key)) return path;
  return undefined;
}

function changedPath({ action, path }: JudgedRequest): string | undefined {
  return action === "write" ? path?.real.absolute : undefined;
}

/**
 * Files that a call may run, obey, copy or send: a person who approves `bash build.sh`, or `cp new.sh
 * .git/hooks/pre-push`, has seen one such file and no other. Requests that only read are left out: they show the
 * current content.
 */
function usedFiles(requests: readonly JudgedRequest[]): ReadonlySet<string> {
  if (isOnlyReading(requests)) return new Set();
  const named = requests.flatMap(({ command }) => command?.files ?? []);
  return new Set([...named, ...readPaths(requests)]);
}

function isOnlyReading(requests: readonly JudgedRequest[]): boolean {
  return requests.every(({ action }) => action === "read");
}

function readPaths(requests: readonly JudgedRequest[]): readonly string[] {
  return requests.flatMap(({ action, path }) => (action === "read" ? (path?.real.absolute ?? []) : []));
}

/**
 * Folders whose content a call may copy, send or delete. Folders that it works in or writes to are left out, because
 * the call itself changes them, such as `.` in `grep -r x . > found`.
 */
function usedFolders(requests: readonly JudgedRequest[], changing: readonly string[]): readonly string[] {
  if (isOnlyReading(requests)) return [];
  const around = new Set<string>();
  for (let path of changing) for (; !around.has(path); path = dirname(path)) around.add(path);
  return readPaths(requests).filter((folder) => !around.has(folder));
}

/** The state of a file, or of all that is in a folder. */
async function statesIn(path: string, files: FileStates): Promise<Map<string, string>> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  if (!stats?.isDirectory()) return new Map([[path, await files.at(path)]]);
  const states = new Map([[path, `folder ${stats.dev} ${stats.ino}`]]);
  const waiting = [path];
  for (let at = waiting.shift(); at !== undefined && states.size < maxEntries; at = waiting.shift()) {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const inside = join(at, entry.name);
      const isFolder = entry.isDirectory();
      states.set(inside, isFolder ? folderState : await files.at(inside));
      // Git changes its own files whenever it is used.
      if (isFolder && entry.name !== ".git") waiting.push(inside);
    }
  }
  return states;
}

/** So many that a person has not looked at each, and few enough to compare in moments. */
const maxEntries = 5000;
