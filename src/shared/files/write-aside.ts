import { lstat, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { newId } from "../new-id.ts";

export interface AsideOptions {
  /** Default: only the user can read it, from its first byte on. */
  readonly mode?: number;
  readonly isSynced?: boolean;
  /** Gives the draft its name. Default: it replaces the file, never a link's target. */
  readonly place?: (draft: string) => Promise<void>;
}

/**
 * Writes a file under another name and renames it once it is whole: no process finds half of it, even if this one is
 * killed. Drafts that killed processes have left in the folder are removed first.
 */
export async function writeAside(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600, isSynced = false, place = (draft) => rename(draft, file) }: AsideOptions = {},
): Promise<void> {
  await removeLeftDrafts(dirname(file));
  const draft = `${file}.${newId("new")}`;
  try {
    const handle = await open(draft, "wx", mode);
    try {
      await handle.writeFile(content);
      if (isSynced) await handle.sync();
    } finally {
      await handle.close();
    }
    await place(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes what `writeAside` was writing in a folder when its process was killed, and nothing that may still be written. */
export async function removeLeftDrafts(folder: string): Promise<void> {
  for (const name of (await readdir(folder).catch(() => [])).filter((each) => draftName.test(each))) {
    const draft = join(folder, name);
    const found = await lstat(draft).catch(() => undefined);
    if (!found?.isFile() || found.mtimeMs > Date.now() - sparedMs) continue;
    // The draft may belong to another user; it does not keep us from writing.
    await rm(draft, { force: true }).catch(() => {});
  }
}

// The end of an id: its time and its random part.
const draftName = /(?:^|\.)new_[0-9a-z]{8}[0-9a-f]{12}$/;
// A draft takes milliseconds. A process that was suspended for longer than this fails when it goes on.
const sparedMs = 60 * 60 * 1000;
