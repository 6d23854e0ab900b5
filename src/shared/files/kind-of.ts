import type { BigIntStats, Dirent, Stats } from "node:fs";

export function kindOf(entry: Stats | BigIntStats | Dirent): "file" | "directory" | "link" | "special" {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "special";
}
