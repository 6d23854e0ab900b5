import { resolve } from "node:path";
import { StoreError } from "./sql-driver.ts";
import { createSqlStore } from "./sql-store.ts";
import type { Store } from "./store.ts";

export interface StoreOptions {
  /** Where the store lies when no address is given. */
  readonly defaultFile: string;
  readonly durability?: "process-crash" | "power-loss";
}

/** Opens the store at an address: `sqlite:<path>`, `memory:`, or nothing for the default place. */
export async function openStore(address: string | undefined, options: StoreOptions): Promise<Store> {
  const file = fileOf(address, options.defaultFile);
  const { openSqliteDriver } = await import("./sqlite-driver.ts");
  const driver = await openSqliteDriver(file, { durability: options.durability ?? "process-crash" });
  try {
    return await createSqlStore(driver);
  } catch (error) {
    await driver.close();
    throw error;
  }
}

function fileOf(address: string | undefined, defaultFile: string): string {
  if (address === undefined) return defaultFile;
  if (address === "memory:") return ":memory:";
  if (address.startsWith("sqlite:") && address.length > "sqlite:".length)
    return resolve(address.slice("sqlite:".length));
  throw new StoreError(`unknown store ${JSON.stringify(address)}: use "sqlite:<path>" or "memory:"`);
}
