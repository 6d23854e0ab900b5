import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { writeAside } from "../../shared/files/write-aside.ts";
import { renameNow, statNow } from "./files-now.ts";
import { withUserLock } from "./user-lock.ts";

/** The text of a file of ours; undefined if there is none. */
export async function readOwnFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Changes a file of ours atomically. `change` runs again if another process changes the file at the same time; if it returns
 * undefined, the file is left as it is.
 */
export async function updateOwnFile(
  file: string,
  change: (text: string | undefined) => string | undefined,
): Promise<void> {
  for (;;) {
    const seen = stampOf(file);
    const text = change(await readOwnFile(file));
    if (text === undefined) return;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    if (await replaceFile(file, { text, seen })) return;
  }
}

/** Changes whenever the file is replaced. */
export function stampOf(file: string): string {
  const stats = statNow(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

interface Replacement {
  readonly text: string;
  readonly seen: string;
}

/** False if another process has replaced it since it was seen. */
async function replaceFile(file: string, { text, seen }: Replacement): Promise<boolean> {
  let isPlaced = false;
  const place = (draft: string) =>
    withUserLock("pins", () => {
      if (stampOf(file) !== seen) return;
      renameNow(draft, file);
      isPlaced = true;
    });
  await writeAside(file, text, { isSynced: true, place });
  return isPlaced;
}
