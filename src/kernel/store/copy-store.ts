import { copyFile, rm } from "node:fs/promises";

/** Copies a store from a folder to which this process cannot write, and other processes perhaps can. */
export async function copyStore(file: string, copy: string): Promise<void> {
  // First, because an anchor that is newer than the log would tell of a loss.
  await copyIfThere(`${file}-anchors`, `${copy}-anchors`);
  try {
    const { copyDatabase } = await import("./sql/sqlite-driver.ts");
    await copyDatabase(file, copy);
  } catch {
    // No process has the store open, or it is damaged and its readable part is wanted all the same.
    await rm(copy, { force: true });
    await copyFile(file, copy);
    await copyIfThere(`${file}-wal`, `${copy}-wal`);
  }
}

async function copyIfThere(file: string, copy: string): Promise<void> {
  await copyFile(file, copy).catch(() => {});
}
