import { lstat, readdir, rm } from "node:fs/promises";
import type { OpenFolder } from "./open-folder.ts";
import { isTemporaryName } from "./temporary-name.ts";

// Nothing is written for as long as this without a byte being added.
const maxAgeMs = 60 * 60 * 1000;

/** Clears away what writers that were killed have left in a folder. Nobody waits for it to succeed. */
export async function removeLeftovers(folder: OpenFolder): Promise<void> {
  try {
    const names = (await readdir(folder.at("."))).filter(isTemporaryName);
    for (const name of names) {
      const stats = await lstat(folder.at(name));
      if (stats.isFile() && Date.now() - stats.mtimeMs > maxAgeMs) await rm(folder.at(name));
    }
  } catch {
    // The next write tries again.
  }
}
