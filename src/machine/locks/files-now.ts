/**
 * Synchronous file functions for work under a lock, because no other process gets the lock until it is done. Everywhere
 * else, waiting for the disk would hold up the whole process; only checks before every call use them too. Not imported:
 * that would load all of `node:fs` at the start of every command.
 */
export const {
  chmodSync: chmodNow,
  closeSync: closeNow,
  constants,
  existsSync: existsNow,
  fchmodSync: fchmodNow,
  fstatSync: fstatNow,
  fsyncSync: fsyncNow,
  ftruncateSync: truncateNow,
  lstatSync: lstatNow,
  mkdirSync: mkdirNow,
  openSync: openNow,
  readdirSync: readdirNow,
  readFileSync: readFileNow,
  readlinkSync: readlinkNow,
  readSync: readNow,
  renameSync: renameNow,
  rmdirSync: rmdirNow,
  rmSync: rmNow,
  statSync: statNow,
  symlinkSync: symlinkNow,
  unlinkSync: unlinkNow,
  utimesSync: utimesNow,
  watch: watchNow,
  writeFileSync: writeFileNow,
  writeSync: writeNow,
} = process.getBuiltinModule("node:fs");
