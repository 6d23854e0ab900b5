import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Removes a folder with everything in it, even if folders inside are not writable. */
export async function removeTree(folder: string): Promise<void> {
  try {
    await remove(folder);
  } catch (error) {
    if (!["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    await makeWritable(folder);
    await remove(folder);
  }
}

/** Retries for a while if something is added to the folder meanwhile. */
function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => {});
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    // A link is not a directory here, so nothing outside is changed.
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
  }
}
