import { lstat, readFile } from "node:fs/promises";

/** The text of a small file; empty if there is none. Reads regular files only, because a pipe would block. */
export async function readSmallFile(path: string): Promise<string> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isFile() || stats.size > maxBytes) return "";
  return readFile(path, "utf8").catch(() => "");
}

const maxBytes = 16 * 1024;
