export {
  chmodNow,
  closeNow,
  constants,
  existsNow,
  fchmodNow,
  fstatNow,
  fsyncNow,
  lstatNow,
  mkdirNow,
  openNow,
  readdirNow,
  readFileNow,
  readlinkNow,
  readNow,
  renameNow,
  rmdirNow,
  rmNow,
  statNow,
  symlinkNow,
  truncateNow,
  unlinkNow,
  writeFileNow,
  writeNow,
} from "./files-now.ts";
export { findLockHolder, isLocked, type KernelLock, openKernelLock, takePatiently } from "./kernel-lock.ts";
export { createNotedDrafts, type NotedDrafts } from "./noted-drafts.ts";
export { readOwnFile, stampOf, updateOwnFile } from "./own-file.ts";
export { openLives, type ProcessLives, type WakeListener } from "./process-lives.ts";
export {
  defaultStateBase,
  findHomeFolder,
  homeFolder,
  lockFolders,
  openLockFolder,
  openPrivateFolder,
  stateBase,
} from "./state-base.ts";
export { userLocks, withUserLock } from "./user-lock.ts";
