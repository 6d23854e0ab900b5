import { join } from "node:path";
import { randomUUID } from "../../shared/crypto.ts";
import {
  existsNow,
  mkdirNow,
  readdirNow,
  renameNow,
  rmNow,
  utimesNow,
  watchNow,
  writeFileNow,
} from "./files-now.ts";
import { isLocked, type KernelLock, openKernelLock } from "./kernel-lock.ts";

export type ProcessLives = ReturnType<typeof openLives>;

/** `isWoken` is false if it is called only because another process may have been unable to wake this one. */
export type WakeListener = (isWoken: boolean) => void;

/**
 * Which of the processes that share a folder are alive. Each has locked a file there, so that this can be told without a
 * pid, which means another process in another container. `beside` is a file; the folder is named after it. Nothing is
 * created before it is needed.
 */
export function openLives(beside: string) {
  const folder = `${beside}-lives`;
  let life: { readonly own: string; readonly lock: KernelLock } | undefined;
  const fileOf = (name: string) => join(folder, `${name}.lock`);
  const bellOf = (name: string) => join(folder, `${name}${bellEnd}`);
  const listeners = new Set<WakeListener>();
  let stopListening: (() => void) | undefined;
  const tellAll: WakeListener = (isWoken) => {
    for (const listener of listeners) listener(isWoken);
  };
  const own = (): string => {
    life ??= begin(folder);
    return life.own;
  };
  return {
    /** Names this process until it ends or closes this. */
    get own(): string {
      return own();
    },
    isAlive: (name: string): boolean => name === life?.own || (isName(name) && isLocked(fileOf(name))),
    /** Tells another process, or this one, that there is something new for it. One that is gone is not told. */
    wake(name: string): void {
      if (name === life?.own) setImmediate(tellAll, true);
      else if (isName(name)) ring(bellOf(name));
    },
    /**
     * Calls back when another process wakes this one, and now and then in case that was missed. Returns a function that
     * ends it.
     */
    onWake(listener: WakeListener): () => void {
      listeners.add(listener);
      stopListening ??= listenTo(bellOf(own()), tellAll);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stopListening?.();
        stopListening = undefined;
      };
    },
    close(): void {
      stopListening?.();
      stopListening = undefined;
      if (life === undefined) return;
      rmNow(bellOf(life.own), { force: true });
      rmNow(fileOf(life.own), { force: true });
      life.lock.close();
      life = undefined;
    },
  };
}

const bellEnd = ".bell";

/** Changes a time of the file, which takes no space on a full disk. */
function ring(bell: string): void {
  const now = new Date();
  try {
    utimesNow(bell, now, now);
  } catch {
    // It is gone, or listens to nothing.
  }
}

/** Not the lock's own file: on some systems, watching opens it, and closing it again would release the lock. */
function listenTo(bell: string, listener: WakeListener): () => void {
  writeFileNow(bell, "", { mode: 0o600 });
  let watcher: { close(): void } | undefined;
  try {
    watcher = watchNow(bell, { persistent: false }, () => listener(true)).on("error", () => {});
  } catch {
    // The system watches no more files, or none of this kind; then the timer has to do.
  }
  // A process may be killed between leaving an item and ringing, and not every file system reports changes.
  const timer = setInterval(listener, watcher === undefined ? unheardMs : heardMs, false).unref();
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
}

const heardMs = 1000;
const unheardMs = 150;

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
    if (name.endsWith("-journal")) continue;
    const file = join(folder, name);
    const lock = name.endsWith(bellEnd) ? file.slice(0, -bellEnd.length).concat(".lock") : file;
    if (!isLocked(lock)) rmNow(file, { force: true });
  }
}

/** It comes from a store, and becomes part of a path. */
function isName(life: string): boolean {
  return /^[0-9a-f-]{36}$/.test(life);
}
