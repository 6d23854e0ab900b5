import { doctors } from "../../../../capabilities.ts";
import type { Finding } from "../../../../kernel/runtime/finding.ts";
import { intentFolderOf } from "../../../../kernel/store/open-store.ts";
import { existsNow } from "../../../../machine/locks/files-now.ts";
import { openKernelLock, takePatiently } from "../../../../machine/locks/kernel-lock.ts";
import { openLockFolder } from "../../../../machine/locks/state-base.ts";
import { userLocks, withUserLock } from "../../../../machine/locks/user-lock.ts";
import type { ToolError } from "../../../../tool/tool-error.ts";

/** A suspended process, or a folder that cannot be written, keeps every other process from changing files. */
export async function checkLocks(findStore: () => Promise<string | undefined>): Promise<Finding> {
  const check = "locks";
  try {
    for (const name of userLocks) await withUserLock(name, () => {}, { patienceMs });
    for (const file of await locksBeside(await findStore())) await tryLock(file);
    return { check, mark: "ok", found: `free, in ${openLockFolder()}` };
  } catch (error) {
    const { message: found, hint: advice } = error as ToolError;
    return { check, mark: "fail", found, ...(advice !== undefined && { advice }) };
  }
}

const patienceMs = 1000;

/** Those that are there: the others were never needed. */
async function locksBeside(storeFile: string | undefined): Promise<readonly string[]> {
  if (storeFile === undefined) return [];
  const folder = intentFolderOf(storeFile);
  const files = await Promise.all(doctors.map((doctor) => doctor.locks?.(folder) ?? []));
  return files.flat().filter(existsNow);
}

async function tryLock(file: string): Promise<void> {
  const lock = openKernelLock(file);
  try {
    await takePatiently(lock, patienceMs);
  } finally {
    lock.close();
  }
}
