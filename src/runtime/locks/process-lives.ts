import { join } from "node:path";
import { randomUUID } from "../../shared/crypto.ts";
import { existsNow, mkdirNow, readdirNow, renameNow, rmNow } from "./files-now.ts";
import { isLocked, type KernelLock, openKernelLock } from "./kernel-lock.ts";

/**
 * Which of the processes that share a folder are alive. Each has locked a file there, so that this can be told without a
 * pid, which means another process in another container.
 */
export interface ProcessLives {
  /** Names this process until it ends or closes this. */
  readonly own: string;
  isAlive(life: string): boolean;
  close(): void;
}

/** `beside` is a file; the folder is named after it. Nothing is created before it is needed. */
export function openLives(beside: string): ProcessLives {
  const folder = `${beside}-lives`;
  let life: { readonly own: string; readonly lock: KernelLock } | undefined;
  const fileOf = (name: string) => join(folder, `${name}.lock`);
  return {
    get own() {
      life ??= begin(folder);
      return life.own;
    },
    isAlive: (name) => name === life?.own || (isName(name) && isLocked(fileOf(name))),
    close() {
      if (life === undefined) return;
      rmNow(fileOf(life.own), { force: true });
      life.lock.close();
      life = undefined;
    },
  };
}

/** Gets its name once it is locked: until then it looks like that of a process which has ended. */
function begin(folder: string): { own: string; lock: KernelLock } {
  mkdirNow(folder, { recursive: true, mode: 0o700 });
  removeDead(folder);
  for (;;) {
    const own = randomUUID();
    const draft = join(folder, `${own}.new`);
    const lock = openKernelLock(draft);
    try {
      if (lock.take()) {
        renameNow(draft, join(folder, `${own}.lock`));
        return { own, lock };
      }
      lock.close();
    } catch (error) {
      lock.close();
      // Otherwise another process has taken the draft for one that was left behind, at whichever step.
      if (existsNow(draft)) throw error;
    }
  }
}

function removeDead(folder: string): void {
  for (const name of readdirNow(folder)) {
    const file = join(folder, name);
    if (!name.endsWith("-journal") && !isLocked(file)) rmNow(file, { force: true });
  }
}

/** It comes from a store, and becomes part of a path. */
function isName(life: string): boolean {
  return /^[0-9a-f-]{36}$/.test(life);
}
