import { ToolError } from "../../tool/tool-error.ts";
import { lstatNow, mkdirNow } from "./files-now.ts";
import { homeFolder, lockFolders } from "./state-base.ts";

/** Creates the folder for locks if need be. Not remembered: what failed once may work the next time. */
export function openLockFolder(): string {
  const [first, second] = lockFolders();
  try {
    // A user without a home has none after this either.
    if (first.startsWith(homeFolder())) lstatNow(homeFolder());
    return openPrivateFolder(first);
  } catch {
    return openPrivateFolder(second);
  }
}

/** Creates a folder that only this user can open, or checks that it is one. */
export function openPrivateFolder(folder: string): string {
  mkdirNow(folder, { recursive: true, mode: 0o700 });
  const stats = lstatNow(folder);
  // In a shared folder, anybody could have created this name first.
  const isOwn =
    process.geteuid === undefined || (stats.uid === process.geteuid() && (stats.mode & 0o077) === 0);
  if (stats.isDirectory() && isOwn) return folder;
  throw new ToolError("unavailable", `${folder} must be a folder that only this user can access`, {
    hint: "Remove it, or ask its owner to remove it.",
  });
}
