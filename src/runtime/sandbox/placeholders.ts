import type { Stats } from "node:fs";
import { lstat, mkdir, rmdir, unlink, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createLock } from "../../shared/lock.ts";
import { quoteControls } from "../../shared/quote-controls.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { findMounted } from "./find-mounted.ts";

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
  const holders = new Map<string, number>();
  const lingering = new Set<string>();

  return {
    hold: (placeholders) =>
      lock(async () => {
        const outcomes = await Promise.allSettled(placeholders.map(putInPlace));
        const held = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : []));
        for (const path of held) holders.set(path, (holders.get(path) ?? 0) + 1);
        const failure = outcomes.find((outcome) => outcome.status === "rejected");
        if (failure === undefined) return held;
        for (const path of held) letGo(path);
        throw failure.reason;
      }),
    release: (paths) =>
      lock(async () => {
        for (const path of paths) letGo(path);
        await removeLingering();
      }),
    sweep: (paths) =>
      lock(async () => {
        for (const path of paths) if (await isLeftThere(path)) lingering.add(path);
        await removeLingering();
      }),
  };

  async function removeLingering(): Promise<void> {
    const unheld = [...lingering].filter((path) => !holders.has(path));
    for (const path of await removeUnused(unheld)) lingering.delete(path);
  }

  function letGo(path: string): void {
    const others = (holders.get(path) ?? 1) - 1;
    if (others > 0) holders.set(path, others);
    else holders.delete(path);
    lingering.add(path);
  }
}

async function isLeftThere(path: string): Promise<boolean> {
  return lstat(path).then(isPlaceholder, () => false);
}

/** Nobody else makes something empty, unwritable and sticky. */
export function isPlaceholder(stats: Stats): boolean {
  const isMarked = (stats.mode & 0o1222) === 0o1000;
  return isMarked && (stats.isDirectory() || (stats.isFile() && stats.size <= 1));
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

/** Removing one that is in use would take its mount away as well, and with it the protection. */
async function removeUnused(paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  let used = await findMounted(paths);
  // Processes that have been killed take a moment to go.
  for (const pauseMs of [2, 5, 10, 20, 50]) {
    if (used.size === 0) break;
    await sleep(pauseMs);
    used = await findMounted(paths);
  }
  const unused = paths.filter((path) => !used.has(path));
  await Promise.all(unused.map(remove));
  return unused;
}

async function remove(path: string): Promise<void> {
  try {
    const stats = await lstat(path);
    if (!isPlaceholder(stats)) return;
    // A folder into which somebody has put something stays by itself.
    await (stats.isDirectory() ? rmdir(path) : unlink(path));
  } catch {
    // Gone already, or no longer ours to remove.
  }
}
