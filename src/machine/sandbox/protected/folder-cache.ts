import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";

/** Reads folders, and again only those that have changed, so that looking through all of them is cheap. */
interface FolderCache<Reading> {
  /** Undefined if there is no such folder, or it may not be read. */
  look(folder: string): Promise<Reading | undefined>;
}

/** Remembers a reading of each folder, which must depend on nothing but the folder's path and its entries. */
export function createFolderCache<Reading>(
  read: (folder: string, entries: readonly Dirent[]) => Reading,
): FolderCache<Reading> {
  const known = new Map<string, { stamp: string; isSettled: boolean; reading: Reading }>();

  const lookAgain = async (folder: string, stamp: string, mtimeMs: number) => {
    try {
      const isSettled = Date.now() - mtimeMs > settlingMs;
      const reading = read(folder, await readdir(folder, { withFileTypes: true }));
      known.set(folder, { stamp, isSettled, reading });
      return reading;
    } catch {
      known.delete(folder);
      return undefined;
    }
  };

  return {
    async look(folder) {
      const found = await lstat(folder, { bigint: true }).catch(() => undefined);
      if (!found?.isDirectory()) {
        known.delete(folder);
        return undefined;
      }
      const { dev, ino, mtimeNs, ctimeNs } = found;
      const stamp = `${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
      const last = known.get(folder);
      if (last?.isSettled && last.stamp === stamp) return last.reading;
      return lookAgain(folder, stamp, Number(ctimeNs / 1_000_000n));
    },
  };
}

// The clock of file systems is coarser than ours: two changes may get one time.
const settlingMs = 100;
