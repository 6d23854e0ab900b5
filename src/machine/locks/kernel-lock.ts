import type { DatabaseSync } from "node:sqlite";
import { existsNow, rmNow, statNow } from "./files-now.ts";

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
        if (!isDamaged(error)) throw error;
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

function isDamaged(error: unknown): boolean {
  return damagedCodes.has(resultCodeOf(error));
}

function resultCodeOf(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}
