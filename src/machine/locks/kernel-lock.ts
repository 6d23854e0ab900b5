import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "../../tool/tool-error.ts";
import { existsNow, readFileNow, rmNow, statNow } from "./files-now.ts";

/**
 * A lock between processes that the kernel holds: it ends when its holder does, however that dies, and a disk that is
 * full does not matter to it. It is the exclusive lock of a database in which nothing is ever written, because Node offers
 * no other lock of the kernel's.
 */
export interface KernelLock {
  readonly file: string;
  /** False if another process, or another lock in this process, has it. */
  take(): boolean;
  release(): void;
  close(): void;
}

export function openKernelLock(file: string): KernelLock {
  let opened: { readonly database: DatabaseSync; readonly identity: string } | undefined;

  const close = () => {
    opened?.database.close();
    opened = undefined;
  };

  const take = (): boolean => {
    for (let tries = 0; tries < maxTries; tries++) {
      try {
        opened ??= openDatabase(file);
        opened.database.exec("BEGIN EXCLUSIVE");
      } catch (error) {
        if (isBusy(error)) return false;
        close();
        if (!damagedCodes.has(resultCodeOf(error))) throw error;
        rmNow(file, { force: true });
        continue;
      }
      if (opened.identity === identityOf(file)) return true;
      // The file was removed, so that other processes would lock another one.
      close();
    }
    throw new Error(`${file} is removed again and again`);
  };

  return {
    file,
    take,
    release() {
      try {
        opened?.database.exec("ROLLBACK");
      } catch {
        // Closing it ends the lock as well.
        close();
      }
    },
    close,
  };
}

const maxTries = 5;

/**
 * Whether a process has the lock. Many processes may ask at once, and a process that asks is not taken for a holder.
 */
export function isLocked(file: string): boolean {
  if (!existsNow(file)) return false;
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    database.exec("SELECT 1 FROM sqlite_schema");
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    database?.close();
  }
}

function openDatabase(file: string): { database: DatabaseSync; identity: string } {
  // Loaded when it is needed: a runtime that changes nothing needs no lock.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // An empty database would be filled each time it is locked.
    if (statNow(file).size === 0) database.exec("PRAGMA synchronous = OFF; PRAGMA user_version = 1");
    return { database, identity: identityOf(file) };
  } catch (error) {
    database.close();
    throw error;
  }
}

function identityOf(file: string): string {
  const stats = statNow(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.dev}:${stats.ino}`;
}

// SQLITE_BUSY and SQLITE_LOCKED; SQLITE_CORRUPT and SQLITE_NOTADB.
const busyCodes = new Set([5, 6]);
const damagedCodes = new Set([11, 26]);

function isBusy(error: unknown): boolean {
  return busyCodes.has(resultCodeOf(error));
}

function resultCodeOf(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}

/** Takes a lock that another process may have for a while; fails if it takes longer. */
export async function takePatiently(lock: KernelLock, patienceMs: number): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  while (!lock.take()) {
    if (performance.now() >= giveUpAt) throw lockBusy(lock.file, patienceMs);
    // Jitter keeps two waiting processes from retrying in step.
    await delay(Math.random() * 20);
  }
}

export function lockBusy(file: string, patienceMs: number): ToolError {
  const pid = findLockHolder(file);
  const who = pid === undefined ? "another process" : `process ${pid}`;
  return new ToolError("unavailable", `${who} has held ${file} for more than ${patienceMs / 1000} s`, {
    hint: "If it is suspended, resume it or end it; then try again.",
    retryable: true,
  });
}

/**
 * The process that keeps others from a file, or from one byte of it. Only Linux tells who holds a lock, and not if that is a
 * process of another container.
 */
export function findLockHolder(file: string, byte?: number): number | undefined {
  try {
    const { ino } = statNow(file);
    for (const line of readFileNow("/proc/locks", "utf8").split("\n")) {
      const [, , , kind, pid, place = "", first, last] = line.trim().split(/\s+/);
      if (kind !== "WRITE" || !place.endsWith(`:${ino}`) || Number(pid) <= 0) continue;
      if (byte === undefined || (Number(first) <= byte && (last === "EOF" || byte <= Number(last))))
        return Number(pid);
    }
  } catch {
    // There is no such list, or no such file.
  }
  return undefined;
}
