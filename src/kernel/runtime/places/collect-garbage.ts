import { lstat, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeLeftOfSandboxes } from "../../../machine/sandbox/index.ts";
import { removeLeftDrafts } from "../../../shared/files/write-aside.ts";
import {
  defaultRetention,
  evictBlobs,
  findKeptOwners,
  findNeededBlobs,
  isAliveIn,
  type KeptKind,
  keptIn,
  type RetentionOptions,
  removeOwn,
  type SessionRecord,
  type Store,
} from "../../store/index.ts";

/** The sessions and files that were removed, or would be. */
export interface GarbageReport {
  readonly sessions: readonly string[];
  /** The size of their logs. */
  readonly logBytes: number;
  readonly outputs: RemovedFiles;
  readonly jobs: RemovedFiles;
  /** Earlier contents of files. */
  readonly blobs: RemovedFiles;
}

interface RemovedFiles {
  readonly count: number;
  /** By their size on disk. */
  readonly bytes: number;
}

interface GarbagePlaces {
  readonly store: Store;
  readonly stateFolder: string;
  readonly intentFolder: string;
  /** Everything that is kept for sessions. */
  readonly kinds: readonly KeptKind[];
}

interface GarbageOptions {
  readonly retention: RetentionOptions;
  readonly isDryRun?: boolean;
  /** The most sessions to remove, so that an ordinary start is not held up. Default: no limit. */
  readonly maxSessions?: number;
}

/** Removes sessions and files beyond the limits. Those that an open session uses are never touched. */
export async function collectGarbage(
  { store, stateFolder, intentFolder, kinds }: GarbagePlaces,
  { retention, isDryRun = false, maxSessions = Number.POSITIVE_INFINITY }: GarbageOptions,
): Promise<GarbageReport> {
  const kept = { ...defaultRetention, ...retention };
  const all = await store.listSessions();
  const inUse = await findInUse(store, { all, kinds });
  const free = all.filter(({ id }) => !inUse.has(id));
  const due = await findDue(store, { free, all }, kept);
  const removed: string[] = [];
  let logBytes = 0;
  for (const { session, bytes } of due.slice(0, maxSessions)) {
    if (!isDryRun && !(await store.maintenance.removeSession(session))) continue;
    removed.push(session.id);
    logBytes += bytes;
  }
  const needed = await findNeededBlobs(intentFolder);
  const isGone = new Set([...removed, ...(await findLeft(store))]);
  const tidy = (kind: string, maxBytes: number) =>
    tidyFolder(join(stateFolder, kind), { inUse, isGone, maxBytes, isDryRun });
  const [outputs, jobs] = [await tidy("outputs", kept.outputBytes), await tidy("jobs", kept.jobBytes)];
  const { count, bytes } = await evictBlobs(join(stateFolder, "blobs"), {
    quotaBytes: kept.blobBytes,
    isNeeded: (hash) => needed.has(hash),
    sparedSinceMs: Date.now() - sparedMs,
    isDryRun,
  });
  if (!isDryRun) {
    await store.maintenance.removeDrafts?.();
    await removeDrafts(stateFolder);
    for (const folder of await foldersIn(stateFolder)) await removeLeftDrafts(folder);
    await removeLeftOfSandboxes();
    // Last, because until then the store tells whose folders are to be removed.
    await store.maintenance.eraseRemoved();
  }
  return { sessions: removed, logBytes, outputs, jobs, blobs: { count, bytes } };
}

/** The folder and those in it: a draft of a client's token, or of what a sign-in gave, is as secret as that. */
async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return [folder, ...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))];
}

/** Removes drafts that an older version left when it was killed as it created a store or a copy of it. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of (await namesIn(folder)).filter((each) => /\.draft_\w+(?:-journal)?$/.test(each))) {
    const { usedMs } = await measure(join(folder, name));
    if (usedMs < Date.now() - sparedMs) await rm(join(folder, name), { force: true });
  }
}

/** Sessions of which a process that was killed has left something. Another one may have got such an id since. */
async function findLeft(store: Store): Promise<readonly string[]> {
  const left = await store.maintenance.listRemoved();
  if (left.length === 0) return left;
  const known = new Set((await store.listSessions()).map(({ id }) => id));
  return left.filter((id) => !known.has(id));
}

// Longer than a change takes from its first blob to its receipt, and between two writes to a copy of the store.
const sparedMs = 60 * 60 * 1000;

/** Collects garbage as an ordinary runtime closes: once a day, a few sessions at a time, and a failure does no harm. */
export async function collectGently(places: GarbagePlaces, retention: RetentionOptions): Promise<void> {
  const { store, stateFolder } = places;
  if (!store.isShared) return;
  const marker = join(stateFolder, "last-gc");
  const last = await stat(marker).catch(() => undefined);
  if (last !== undefined && Date.now() - last.mtimeMs < dayMs) return;
  try {
    await writeFile(marker, "");
    await collectGarbage(places, { retention, maxSessions: 20 });
  } catch {
    // The next day, or `toolwright gc`, gets another chance.
  }
}

const dayMs = 24 * 60 * 60 * 1000;

/** Whether a process has a session of it open. */
export async function isStoreInUse(store: Store): Promise<boolean> {
  for (const { owner } of await store.listSessions())
    if (owner !== undefined && (await isAliveIn(store, owner))) return true;
  return false;
}

/** Sessions that a process has open, or in which something has not ended yet, and those that they came from. */
async function findInUse(
  store: Store,
  { all, kinds }: { readonly all: readonly SessionRecord[]; readonly kinds: readonly KeptKind[] },
): Promise<ReadonlySet<string>> {
  const held = await findHeld(store, kinds);
  const byId = new Map(all.map((session) => [session.id, session]));
  const inUse = new Set<string>();
  for (const session of all) {
    const { id, owner } = session;
    const isOwned = owner !== undefined && (await isAliveIn(store, owner));
    if (!isOwned && !held.has(id)) continue;
    for (let each: SessionRecord | undefined = session; each !== undefined && !inUse.has(each.id); ) {
      inUse.add(each.id);
      each = each.parent && byId.get(each.parent.sessionId);
    }
  }
  return inUse;
}

/** The sessions that have to stay because of their kept state. */
async function findHeld(store: Store, kinds: readonly KeptKind[]): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  for (const kind of kinds.filter(({ holdsSession }) => holdsSession !== undefined))
    for (const id of await findKeptOwners(store, kind))
      if ([...(await keptIn(store, kind, id).list()).values()].some(kind.holdsSession!)) held.add(id);
  return held;
}

/** Finds the sessions that are to be removed, with the sizes of their logs; those not used for longest come first. */
async function findDue(
  store: Store,
  { free, all }: { readonly free: readonly SessionRecord[]; readonly all: readonly SessionRecord[] },
  {
    sessionDays = Number.POSITIVE_INFINITY,
    logBytes,
    undoDays = defaultRetention.undoDays,
  }: RetentionOptions,
) {
  if (logBytes === undefined && sessionDays === Number.POSITIVE_INFINITY) return [];
  const aged = await Promise.all(
    free.map(async (session) => ({ session, days: await readAge(store, session) })),
  );
  const oldest = aged.filter(({ days }) => days >= undoDays).toSorted((one, other) => other.days - one.days);
  let excess = 0;
  if (logBytes !== undefined) {
    for (const { id } of all) excess += await store.maintenance.measureLog(id);
    excess -= logBytes;
  }
  const due: { readonly session: SessionRecord; readonly bytes: number }[] = [];
  for (const { session, days } of oldest) {
    if (days < sessionDays && excess <= 0) break;
    const bytes = await store.maintenance.measureLog(session.id);
    due.push({ session, bytes });
    excess -= bytes;
  }
  return due;
}

/** The age of a session in days. A process that was killed has not closed its session, so the last event counts. */
async function readAge(store: Store, { id, closedAt, openedAt }: SessionRecord): Promise<number> {
  const usedAt = [Date.parse(closedAt ?? openedAt)];
  if (closedAt === undefined) {
    const { lastSequence } = await store.rawLogs.readClaims(id);
    const [last] = await store.rawLogs.readRows(id, { since: lastSequence - 1, limit: 1 });
    if (last !== undefined) usedAt.push(Date.parse(last.at));
  }
  return (Date.now() - Math.max(...usedAt)) / dayMs;
}

interface Tidying {
  readonly inUse: ReadonlySet<string>;
  readonly isGone: ReadonlySet<string>;
  readonly maxBytes: number;
  readonly isDryRun: boolean;
}

/** Removes what belongs to sessions that are gone, then the oldest of the rest until it fits. */
async function tidyFolder(folder: string, { inUse, isGone, maxBytes, isDryRun }: Tidying) {
  const names = await namesIn(folder);
  const places = (await Promise.all(names.map((id) => readPlaces(folder, id)))).flat();
  let excess = places.reduce((sum, { bytes }) => sum + bytes, 0) - maxBytes;
  const removed = { count: 0, bytes: 0 };
  const gone = places.filter(({ id }) => isGone.has(id));
  const rest = places.filter(({ id }) => !isGone.has(id) && !inUse.has(id));
  for (const { path, bytes, id } of [...gone, ...rest.toSorted((one, other) => one.usedMs - other.usedMs)]) {
    if (excess <= 0 && !isGone.has(id)) break;
    excess -= bytes;
    if (!isDryRun && !(await removeOwn(path))) continue;
    removed.count += 1;
    removed.bytes += bytes;
  }
  // Of the names that there are, since one on record could lead elsewhere.
  for (const id of names.filter((name) => isGone.has(name) && !isDryRun))
    await rm(join(folder, id), { recursive: true, force: true });
  return removed;
}

/** The outputs or jobs of one session. */
async function readPlaces(folder: string, id: string) {
  const paths = (await namesIn(join(folder, id))).map((name) => join(folder, id, name));
  return Promise.all(paths.map(async (path) => ({ id, path, ...(await measure(path)) })));
}

async function measure(path: string): Promise<{ bytes: number; usedMs: number }> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return { bytes: 0, usedMs: 0 };
  const inside = stats.isDirectory()
    ? await Promise.all((await namesIn(path)).map((name) => measure(join(path, name))))
    : [];
  const bytes = inside.reduce((sum, each) => sum + each.bytes, stats.blocks * 512);
  return { bytes, usedMs: Math.max(stats.mtimeMs, ...inside.map(({ usedMs }) => usedMs)) };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
