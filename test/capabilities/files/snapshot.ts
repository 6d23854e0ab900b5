import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

/** Everything in a folder, byte by byte, with modes and links: path to description. */
export async function snapshot(folder: string, prefix = ""): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of (await readdir(join(folder, prefix))).sort()) {
    const path = join(prefix, name);
    const stats = await lstat(join(folder, path));
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isDirectory()) {
      found[path] = `directory ${mode}`;
      Object.assign(found, await snapshot(folder, path));
    } else if (stats.isSymbolicLink()) found[path] = `link ${await readlink(join(folder, path))}`;
    else if (stats.isFile()) found[path] = `file ${mode} ${await readFile(join(folder, path), "base64")}`;
    else found[path] = "special";
  }
  return found;
}
