import type { BigIntStats } from "node:fs";

/** Changes whenever the content of a file does, and sometimes when it does not. */
export function fileStamp({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [fileId({ dev, ino }), size, mtimeNs, ctimeNs].join(":");
}

/** Tells a file from any other that is there, whatever its name; every stamp of it begins with this. */
export function fileId({ dev, ino }: Pick<BigIntStats, "dev" | "ino">): string {
  return `${dev}:${ino}`;
}
