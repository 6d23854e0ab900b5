import { resolve } from "node:path";
import { openLives } from "../locks/process-lives.ts";
import { StoreError } from "./sql/sql-driver.ts";
import { createSqlStore } from "./sql/sql-store.ts";
import type { SqliteOptions } from "./sql/sqlite-driver.ts";
import type { Store } from "./store.ts";

export interface StoreOptions extends Partial<SqliteOptions> {
  /** The store's file when no address is given. */
  readonly defaultFile: string;
}

/** Opens the store at an address: `sqlite:<path>`, `memory:`, or undefined for the default file. */
export async function openStore(address: string | undefined, options: StoreOptions): Promise<Store> {
  if (address === "memory:") {
    const { createMemoryStore } = await import("./memory/memory-store.ts");
    return createMemoryStore();
  }
  const file = fileOf(address, options.defaultFile);
  try {
    return await openFile(file, options);
  } catch (cause) {
    throw new StoreError(`cannot open the store ${file}: ${(cause as Error).message}`, { cause });
  }
}

/** The files of a store that was given an address of its own. */
export function filesOfStore(address: string | undefined): readonly string[] {
  if (address === undefined || address === "memory:") return [];
  const file = fileOf(address, "");
  return ["", "-wal", "-shm", "-journal"].map((end) => `${file}${end}`);
}

function fileOf(address: string | undefined, defaultFile: string): string {
  if (address === undefined) return defaultFile;
  if (address.startsWith("sqlite:") && address.length > "sqlite:".length)
    return resolve(address.slice("sqlite:".length));
  throw new TypeError(`unknown store ${JSON.stringify(address)}: use "sqlite:<path>" or "memory:"`);
}

async function openFile(file: string, options: Partial<SqliteOptions>): Promise<Store> {
  const { openSqliteDriver } = await import("./sql/sqlite-driver.ts");
  const driver = await openSqliteDriver(file, options);
  try {
    return await createSqlStore(driver, openLives(file));
  } catch (error) {
    await driver.close();
    throw error;
  }
}
