import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The configuration that a project brings, relative to the folder it is for. */
export function projectConfigFile(folder: string): string {
  return join(folder, ".toolwright", "config.json");
}

/**
 * Finds the configuration of the workspace itself or, inside a git repository, of the nearest folder above it up to the
 * repository's root. Outside a repository nothing says which folders above belong to the project.
 */
export async function findProjectConfig(root: string): Promise<string | undefined> {
  const folders = await projectFolders(root);
  const files = await Promise.all(
    folders.map(async (folder) => {
      const file = projectConfigFile(folder);
      return (await isOwnFile(file)) ? file : undefined;
    }),
  );
  return files.find((file) => file !== undefined);
}

/** The workspace's root and the folders above it, up to the root of the repository that it is in. */
async function projectFolders(root: string): Promise<readonly string[]> {
  const folders = [root];
  for (let folder = root; !(await exists(join(folder, ".git"))); ) {
    const parent = dirname(folder);
    if (parent === folder) return [root];
    folder = parent;
    folders.push(folder);
  }
  return folders;
}

/** Whether a file is the user's or root's: other users could put one into a shared folder, such as /tmp. */
async function isOwnFile(path: string): Promise<boolean> {
  try {
    const { uid } = await lstat(path);
    return uid === process.geteuid?.() || uid === 0;
  } catch {
    return false;
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
