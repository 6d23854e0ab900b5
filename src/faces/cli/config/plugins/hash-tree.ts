import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { relativeInside } from "../../../../shared/relative-inside.ts";
import { ConfigError } from "../config-file.ts";

const maxFiles = 20_000;
const maxBytes = 200_000_000;

/** Makes one hash of all files of a folder: their paths, contents and whether they can be run, and the targets of links. */
export async function hashTree(folder: string): Promise<string> {
  const hash = createHash("sha256");
  let files = 0;
  let bytes = 0;
  const add = async (path: string): Promise<void> => {
    const at = join(folder, path);
    const stats = await lstat(at);
    if (stats.isDirectory()) {
      for (const name of (await readdir(at)).sort()) await add(join(path, name));
      return;
    }
    files += 1;
    bytes += stats.size;
    if (files > maxFiles || bytes > maxBytes)
      throw new ConfigError(
        `${folder} is too large for a plugin: more than ${maxFiles} files or ${maxBytes / 1e6} MB`,
      );
    if (stats.isSymbolicLink()) {
      const target = await readlink(at);
      // The target of the link could change without the hash.
      if (relativeInside(folder, resolve(dirname(at), target)) === undefined)
        throw new ConfigError(`${at} is a link that leads outside the plugin; replace it with a file`);
      hash.update(`link ${JSON.stringify([path, target])}\n`);
      return;
    }
    if (!stats.isFile()) throw new ConfigError(`${at} is neither a file nor a folder; remove it`);
    const content = createHash("sha256")
      .update(await readFile(at))
      .digest("hex");
    hash.update(`file ${JSON.stringify([path, (stats.mode & 0o100) !== 0, content])}\n`);
  };
  await add("");
  return hash.digest("hex");
}
