/**
 * What work under a lock does to files: at once, because nobody else gets the lock until it is done. Everywhere else,
 * waiting for the disk would hold up the whole process.
 */
export {
  chmodSync as chmodNow,
  lstatSync as lstatNow,
  mkdirSync as mkdirNow,
  readdirSync as readdirNow,
  readFileSync as readFileNow,
  readlinkSync as readlinkNow,
  renameSync as renameNow,
  rmdirSync as rmdirNow,
  rmSync as rmNow,
  statSync as statNow,
  unlinkSync as unlinkNow,
  writeFileSync as writeFileNow,
} from "node:fs";
