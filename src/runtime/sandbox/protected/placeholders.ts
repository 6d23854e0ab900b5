import type { Stats } from "node:fs";
import { chmod, lstat, mkdir, readdir, rmdir, unlink, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createLock } from "../../../shared/lock.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { findMounted } from "../bubblewrap/find-mounted.ts";
import { createPlaceholderLeases } from "./placeholder-leases.ts";

/**
 * Something that stands where a command must not put anything. A mount needs a place to be, also on the disk outside, so
 * what is missing is made, and taken away when nobody needs it any more. Folders are invisible to git, being empty.
 */
export interface Placeholder {
  readonly path: string;
  /** Of a file; without it a folder is put there. */
  readonly content?: string;
}

export interface Placeholders {
  /** Puts them in place and gives back where one stands; where the command could not write either, none does. */
  hold(placeholders: readonly Placeholder[]): Promise<readonly string[]>;
  /** Takes away what no command, of this or any other process, has in use. */
  release(paths: readonly string[]): Promise<void>;
  /** Takes away those of the paths that a process which was killed has left. */
  sweep(paths: readonly string[]): Promise<void>;
}

/** One for the whole process: the disk is one, and two sandboxes may share a workspace. */
export function sharedPlaceholders(): Placeholders {
  shared ??= createPlaceholders();
  return shared;
}

let shared: Placeholders | undefined;

function createPlaceholders(): Placeholders {
  const lock = createLock();
  const leases = createPlaceholderLeases();
  const holders = new Map<string, number>();
  // With the time before which another attempt is not worth it.
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
        for (const path of paths) letGo(path);
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
    for (const path of held) letGo(path);
    throw failure.reason;
  }

  async function removeLingering(): Promise<void> {
    const startedAt = performance.now();
    const due = [...lingering].filter(([path, notBefore]) => !holders.has(path) && notBefore <= startedAt);
    const others = due.length === 0 ? new Set<string>() : await leases.heldByOthers();
    // Whoever else holds one takes it away at its end.
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

  function letGo(path: string): void {
    const others = (holders.get(path) ?? 1) - 1;
    if (others > 0) holders.set(path, others);
    else holders.delete(path);
    if (!lingering.has(path)) lingering.set(path, 0);
  }
}

// A command that outlived its runtime has it in use, and will have for a while.
const retryAfterMs = 2000;

/** Nobody else makes something empty, unwritable and sticky. */
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
    // The command has no more rights than we have.
    if (["EACCES", "EPERM", "EROFS"].includes(code)) return [];
    throw new ToolError("unavailable", `the sandbox cannot protect ${quoteControls(path)}: ${code}`, {
      hint: "Make sure that the workspace is there and the disk is not full.",
      cause,
    });
  }
}

/** Removing those would take the mount away as well, and with it the protection. */
async function findStillMounted(paths: readonly string[]): Promise<ReadonlySet<string>> {
  let mounted = await findMounted(paths);
  // Processes that have been killed take a moment to go.
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
    // Somebody outside has put something into it, and so made it theirs.
    else await chmod(path, stats.isDirectory() ? 0o755 : 0o644);
  } catch {
    // Gone already, or no longer ours to remove.
  }
}
