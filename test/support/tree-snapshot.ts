import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

/** Everything below a folder, by its path: kind, mode, size, times and content. */
export type TreeSnapshot = ReadonlyMap<string, string>;

export async function takeSnapshot(folder: string): Promise<TreeSnapshot> {
  const snapshot = new Map<string, string>();
  const visit = async (path: string): Promise<void> => {
    const found = await lstat(path);
    const { mode, size, mtimeMs, ctimeMs, ino } = found;
    const content = found.isFile() ? await hash(path) : found.isSymbolicLink() ? await readlink(path) : "";
    snapshot.set(path, [mode.toString(8), size, mtimeMs, ctimeMs, ino, content].join(" "));
    if (found.isDirectory()) for (const name of await readdir(path)) await visit(join(path, name));
  };
  await visit(folder);
  return snapshot;
}

/** The paths that came, went or are not what they were. */
export function compareSnapshots(before: TreeSnapshot, after: TreeSnapshot): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

async function hash(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}
