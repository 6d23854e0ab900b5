import type { FileHandle } from "node:fs/promises";
import { readlink } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../../../tool/tool-error.ts";
import { errorCodeOf } from "../../../policy/paths/file-error.ts";
import { locateByIdentity, openContained, outside } from "../../../policy/paths/open-contained.ts";

/** A folder that is open and known to be the one that was meant; what is done in it is done there, whatever its path becomes. */
export interface OpenFolder {
  at(name: string): string;
  /** Refuses to go on if the folder is no longer where it was. */
  confirm(): Promise<void>;
  /** Makes what was created, renamed or removed in it survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export async function openFolder(
  canonical: string,
  { shownPath, contains }: { shownPath: string; contains: (canonical: string) => boolean },
): Promise<OpenFolder> {
  const opened = await openContained(canonical, { kind: "directory", shownPath, mayOpen: contains });
  const { handle, stats, location } = opened;
  const confirm = async () => {
    const isByDescriptor = location !== canonical;
    const there = isByDescriptor
      ? await readlink(location)
      : (await locateByIdentity({ canonical, stats }))?.canonical;
    if (there === canonical) return;
    if (there !== undefined && !contains(there)) throw outside(shownPath);
    throw moved(shownPath);
  };
  try {
    // Inside is not enough: swapped for a link, it would lead to where nobody was asked about.
    if (opened.canonical !== canonical) throw moved(shownPath);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    at: (name) => join(location, name),
    confirm,
    sync: () => syncFolder(handle),
    close: () => handle.close(),
  };
}

function moved(shownPath: string): ToolError {
  return new ToolError("conflict", `the folder of ${shownPath} was moved or replaced meanwhile`, {
    hint: "Try again.",
    retryable: true,
  });
}

async function syncFolder(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems cannot do it for folders.
    if (errorCodeOf(error) !== "EINVAL") throw error;
  }
}
