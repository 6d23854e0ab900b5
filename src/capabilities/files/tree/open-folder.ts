import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { readlinkNow } from "../../../machine/locks/index.ts";
import { locateByIdentity, openContained, outside } from "../../../machine/paths/index.ts";
import { errorCodeOf } from "../../../shared/files/error-code.ts";
import { ToolError } from "../../../tool/tool-error.ts";

export type OpenFolder = Awaited<ReturnType<typeof openFolder>>;

/** Opens and verifies a folder: work in it stays in it, even if its path is moved or replaced. */
export async function openFolder(
  canonical: string,
  { shownPath, contains }: { shownPath: string; contains: (canonical: string) => boolean },
) {
  const opened = await openContained(canonical, { kind: "directory", shownPath, mayOpen: contains });
  const { handle, stats, location } = opened;
  // Being inside the roots is not enough: a link could lead to a folder that the gate was not asked about.
  if (opened.canonical !== canonical) {
    await handle.close();
    throw moved(shownPath);
  }
  const isByDescriptor = location !== canonical;
  const requireHere = (there: string | undefined) => {
    if (there === canonical) return;
    if (there !== undefined && !contains(there)) throw outside(shownPath);
    throw moved(shownPath);
  };
  return {
    at: (name: string) => join(location, name),
    /** Throws if the folder is no longer at its path, where that takes waiting. */
    async confirm(): Promise<void> {
      if (!isByDescriptor) requireHere((await locateByIdentity({ canonical, stats }))?.canonical);
    },
    /** The same where it can be told without waiting. For the moment before a change. */
    confirmNow(): void {
      if (isByDescriptor) requireHere(readlinkNow(location));
    },
    /** Makes creations, renames and removals in it survive a power cut. */
    sync: () => syncFolder(handle),
    close: () => handle.close(),
  };
}

function moved(shownPath: string): ToolError {
  return new ToolError("conflict", `the folder of ${shownPath} was moved or replaced in the meantime`, {
    hint: "Try again.",
    retryable: true,
  });
}

async function syncFolder(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems cannot sync folders.
    if (errorCodeOf(error) !== "EINVAL") throw error;
  }
}
