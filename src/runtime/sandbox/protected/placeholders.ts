import type { Stats } from "node:fs";
import { chmod, lstat, mkdir, readdir, rmdir, unlink, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createLock } from "../../../shared/lock.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { findMounted } from "../bubblewrap/find-mounted.ts";
import { createPlaceholderLeases } from "./placeholder-leases.ts";

/**
 * * An entry that keeps a command from creating something at its path. A mount needs an existing path on the real disk,
 * so a missing one is created, and removed when nobody needs it any more. Empty folders are invisible to git.
 */
export interface Placeholder {
  readonly path: string;
  /** The content of a file; without it, a folder is created. */
  readonly content?: string;
}

export interface Placeholders {
  /** Creates placeholders and returns the paths of those held; skips paths that the command could not write either. */
  hold(placeholders: readonly Placeholder[]): Promise<readonly string[]>;
  /** Removes those that no command of this or another process is using. */
  release(paths: readonly string[]): Promise<void>;
  /** Removes those that a killed process has left behind. */
  sweep(paths: readonly string[]): Promise<void>;
}

/** One instance for the whole process, because two sandboxes may share a workspace. */
export function sharedPlaceholders(): Placeholders {
  shared ??= createPlaceholders();
  return shared;
}

let shared: Placeholders | undefined;

function createPlaceholders(): Placeholders {
  const lock = createLock();
  const leases = createPlaceholderLeases();
  const holders = new Map<string, number>();
  // Paths to be removed, with the earliest time for the next attempt.
  const lingering = new Map<string, number>();

  return {
    hold: (placeholders) =>
      lock(() =>
        leases.exclusively(
          () => putAllInPlace(placeholders),
          () => holders.keys(),
        ),
      ),
    release: (paths) =>
      lock(async () => {
        for (const path of paths) releaseOne(path);
        await removeLingering();
      }),
    sweep: (paths) =>
      lock(async () => {
        for (const path of paths) if (await isPlaceholder(path)) lingering.set(path, 0);
        await removeLingering();
      }),
  };

  async function putAllInPlace(placeholders: readonly Placeholder[]): Promise<readonly string[]> {
    const outcomes = await Promise.allSettled(placeholders.map(putInPlace));
    const held = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : []));
    for (const path of held) holders.set(path, (holders.get(path) ?? 0) + 1);
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure === undefined) return held;
    for (const path of held) releaseOne(path);
    throw failure.reason;
  }

  async function removeLingering(): Promise<void> {
    const startedAt = performance.now();
    const due = [...lingering].filter(([path, notBefore]) => !holders.has(path) && notBefore <= startedAt);
    const others = due.length === 0 ? new Set<string>() : await leases.heldByOthers();
    // Another process that holds one removes it when it is done.
    const paths = due.map(([path]) => path).filter((path) => !others.has(path));
    if (paths.length === 0) return;
    const mounted = await findStillMounted(paths);
    await leases.exclusively(
      async (heldByOthers) => {
        const unused = paths.filter((path) => !mounted.has(path) && !heldByOthers.has(path));
        await Promise.all(unused.map(remove));
      },
      () => holders.keys(),
    );
    for (const path of paths) {
      if (mounted.has(path)) lingering.set(path, performance.now() + retryAfterMs);
      else lingering.delete(path);
    }
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

/** Recognised by being empty, unwritable and sticky, which nobody else creates. */
export async function isPlaceholder(path: string): Promise<boolean> {
  try {
    const stats = await lstat(path);
    if (!isMarked(stats)) return false;
    return stats.isDirectory() ? (await readdir(path)).length === 0 : stats.isFile() && stats.size <= 1;
  } catch {
    return false;
  }
}

function isMarked({ mode }: Stats): boolean {
  return (mode & 0o1222) === 0o1000;
}

async function putInPlace({ path, content }: Placeholder): Promise<string[]> {
  try {
    if (content === undefined) await mkdir(path, 0o1555);
    else await writeFile(path, content, { flag: "wx", mode: 0o1444 });
    return [path];
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "";
    if (code === "EEXIST") return [path];
    // The command has no more rights than we do, so it cannot write there either.
    if (["EACCES", "EPERM", "EROFS"].includes(code)) return [];
    throw new ToolError("unavailable", `the sandbox cannot protect ${quoteControls(path)}: ${code}`, {
      hint: "Check that the workspace exists and the disk is not full.",
      cause,
    });
  }
}

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

async function remove(path: string): Promise<void> {
  try {
    const stats = await lstat(path);
    if (!isMarked(stats)) return;
    if (await isPlaceholder(path)) await (stats.isDirectory() ? rmdir(path) : unlink(path));
    // Somebody outside has put something into it, so it is theirs now.
    else await chmod(path, stats.isDirectory() ? 0o755 : 0o644);
  } catch {
    // Gone already, or no longer ours to remove.
  }
}
