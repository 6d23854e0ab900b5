import { lstat, readFile } from "node:fs/promises";

/** The text of a file that holds a path and a few words; empty where there is none. A pipe of that name would be waited for. */
export async function readSmallFile(path: string): Promise<string> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isFile() || stats.size > maxBytes) return "";
  return readFile(path, "utf8").catch(() => "");
}

const maxBytes = 16 * 1024;
