import { mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { newId } from "../../shared/new-id.ts";
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

/** Changes a file of ours atomically. `change` runs again if another process changes the file at the same time. */
export async function updateOwnFile(
  file: string,
  change: (text: string | undefined) => string,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  for (;;) {
    const seen = stampOf(file);
    const text = change(await readOwnFile(file));
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
  const aside = `${file}.${newId("new")}`;
  try {
    const handle = await open(aside, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return await withUserLock("pins", () => {
      if (stampOf(file) !== seen) return false;
      renameNow(aside, file);
      return true;
    });
  } finally {
    await rm(aside, { force: true });
  }
}
