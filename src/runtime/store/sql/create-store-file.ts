import { link, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { newId } from "../../../shared/new-id.ts";
import { StoreError } from "./sql-driver.ts";

/** Makes the file that SQLite will fill, for its owner's eyes only; left to itself, SQLite makes it readable for all. */
export async function createStoreFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) return;
  if (found !== undefined) throw new StoreError("it is not a file");
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // Closing a file lets go of every lock that this process has on it, also those of a store that another runtime has
  // opened meanwhile. So it is closed before it gets the name under which anybody could open it.
  const draft = `${file}.${newId("draft")}`;
  await writeFile(draft, "", { flag: "wx", mode: 0o600 });
  try {
    await link(draft, file);
  } catch {
    // Another process was faster, or there are no links in this file system; either way SQLite goes on from here.
  } finally {
    await rm(draft);
  }
}
