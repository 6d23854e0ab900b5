import type { BigIntStats } from "node:fs";

/** Changes whenever the content of a file does, and sometimes when it does not. */
export function fileStamp({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}
