import type { Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLock } from "../../../shared/lock.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import {
  chmodNow,
  closeNow,
  constants,
  lstatNow,
  mkdirNow,
  openNow,
  readdirNow,
  readlinkNow,
  rmdirNow,
  unlinkNow,
  writeFileNow,
} from "../../locks/index.ts";
import { findMounted } from "../bubblewrap/mount-table.ts";
import { createPlaceholderLeases } from "./placeholder-leases.ts";

/**
 * An entry that keeps a command from creating something at its path. A mount needs an existing path on the real disk,
 * so a missing one is created, and removed when no command needs it any more. Empty folders are invisible to git.
 */
export interface Placeholder {
  readonly path: string;
  /** The content of a file; without it, a folder is created. */
  readonly content?: string;
}

export type Placeholders = ReturnType<typeof createPlaceholders>;

/** One instance for the whole process, because two sandboxes may share a workspace. */
export function sharedPlaceholders(): Placeholders {
  shared ??= createPlaceholders();
  return shared;
}

let shared: Placeholders | undefined;

export function createPlaceholders() {
  const lock = createLock();
  const leases = createPlaceholderLeases();
  const holders = new Map<string, number>();
  // Paths to be removed, with the earliest time for the next attempt.
  const lingering = new Map<string, number>();

  return {
    /** Creates placeholders and returns the paths of those held; skips paths that the command could not write either. */
    async hold(placeholders: readonly Placeholder[]): Promise<readonly string[]> {
      if (placeholders.length === 0) return [];
      const wanted = placeholders.map(({ path }) => path);
      const list = { held: [...holders.keys(), ...wanted], left: lingering.keys() };
      return lock(() => leases.hold(list, () => putAllInPlace(placeholders)));
    },
    /** Removes those that no command of this or another process is using. Never fails: what cannot be removed stays. */
    release: (paths: readonly string[]) =>
      lock(async () => {
        for (const path of paths) releaseOne(path);
        await removeLingering();
      }),
    /** Removes those that killed processes have left behind, wherever they are. Never fails. */
    sweep: () => lock(removeLeft).catch(() => {}),
  };

  function putAllInPlace(placeholders: readonly Placeholder[]): readonly string[] {
    const held: string[] = [];
    try {
      for (const placeholder of placeholders) held.push(...putInPlace(placeholder));
    } catch (error) {
      for (const path of held) lingering.set(path, 0);
      throw error;
    }
    for (const path of held) holders.set(path, (holders.get(path) ?? 0) + 1);
    return held;
  }

  async function removeLeft(): Promise<void> {
    const left = await leases.readLeft();
    if (left.size === 0) return;
    for (const path of [...left.values()].flat()) if (isPlaceholder(path)) lingering.set(path, 0);
    await removeLingering();
    const isOver = (paths: readonly string[]) => !paths.some((path) => lingering.has(path));
    await leases.forget([...left].flatMap(([id, paths]) => (isOver(paths) ? [id] : [])));
  }

  /** The command is over, whatever happens here: the next one tries again. */
  async function removeLingering(): Promise<void> {
    const startedAt = performance.now();
    const due = [...lingering].filter(([path, notBefore]) => !holders.has(path) && notBefore <= startedAt);
    if (due.length > 0) await removeUnused(due.map(([path]) => path)).catch(() => {});
  }

  async function removeUnused(due: readonly string[]): Promise<void> {
    const list = () => ({ held: holders.keys(), left: lingering.keys() });
    let paths: readonly string[] = [];
    // Another process that holds one removes it when it is done, and so must know that we do not hold it any more.
    await leases.release(list, (isHeldByOther) => {
      paths = due.filter((path) => !isHeldByOther(path));
    });
    if (paths.length === 0) return;
    const mounted = await findStillMounted(paths);
    await leases.release(list, (isHeldByOther) => {
      for (const path of paths) {
        if (mounted.has(path)) lingering.set(path, performance.now() + retryAfterMs);
        else {
          if (!isHeldByOther(path)) remove(path);
          lingering.delete(path);
        }
      }
    });
  }

  function releaseOne(path: string): void {
    const others = (holders.get(path) ?? 1) - 1;
    if (others > 0) holders.set(path, others);
    else holders.delete(path);
    if (!lingering.has(path)) lingering.set(path, 0);
  }
}

// A command that outlived its runtime still uses it, probably for a while.
const retryAfterMs = 2000;

/** Recognised by being empty, unwritable and sticky, which no other program creates. */
export function isPlaceholder(path: string): boolean {
  try {
    const stats = lstatNow(path);
    if (!isMarked(stats)) return false;
    return stats.isDirectory() ? readdirNow(path).length === 0 : stats.isFile() && stats.size <= 1;
  } catch {
    return false;
  }
}

function isMarked({ mode }: Stats): boolean {
  return (mode & 0o1222) === 0o1000;
}

function putInPlace({ path, content }: Placeholder): string[] {
  try {
    withOpened(dirname(path), (folder) => {
      const place = join(folder, basename(path));
      if (content === undefined) mkdirNow(place, 0o1555);
      else writeFileNow(place, content, { flag: "wx", mode: 0o1444 });
    });
    return [path];
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "";
    if (code === "EEXIST") return [path];
    // The command has no more rights than we do, so it cannot write there either.
    if (["EACCES", "EPERM", "EROFS"].includes(code)) return [];
    throw new ToolError("unavailable", `the sandbox cannot protect ${quoteControls(path)}: ${code}`, {
      hint: "Check that the workspace exists, that nothing moves its folders, and that the disk is not full.",
      cause,
    });
  }
}

/**
 * Opens the entry at a path without links, and gives `act` a name for the open entry. The path itself is not used
 * again: an earlier command that still runs can exchange a folder for a link, and this process may write where that
 * leads.
 */
function withOpened<Result>(path: string, act: (opened: string) => Result): Result {
  const descriptor = openNow(path, pathOnly | constants.O_NOFOLLOW);
  try {
    const opened = `/proc/self/fd/${descriptor}`;
    if (readlinkNow(opened) !== path)
      throw Object.assign(new Error(`${path} leads elsewhere`), { code: "ENOTDIR" });
    return act(opened);
  } finally {
    closeNow(descriptor);
  }
}

// O_PATH, which Node does not name: a folder whose content this user may not list can be opened too.
const pathOnly = 0o10000000;

/** Paths that must not be removed yet: that would remove the mount, and with it the protection. */
async function findStillMounted(paths: readonly string[]): Promise<ReadonlySet<string>> {
  let mounted = await findMounted(paths);
  // Killed processes take a moment to disappear.
  for (const pauseMs of [2, 5, 10, 20, 50, 100, 200]) {
    if (mounted.size === 0) break;
    await sleep(pauseMs);
    mounted = await findMounted(paths);
  }
  return mounted;
}

function remove(path: string): void {
  try {
    withOpened(dirname(path), (folder) => {
      const place = join(folder, basename(path));
      const stats = lstatNow(place);
      if (!isMarked(stats)) return;
      if (isPlaceholder(place)) stats.isDirectory() ? rmdirNow(place) : unlinkNow(place);
      // A program outside has put something into it, so it is no longer ours.
      else withOpened(path, (entry) => chmodNow(entry, stats.isDirectory() ? 0o755 : 0o644));
    });
  } catch {
    // Gone already, or no longer ours to remove.
  }
}
