import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const projectFolder = fileURLToPath(new URL("../..", import.meta.url));

/** Everything that belongs to the project, whether git is there to ask or not. */
export async function listProject(folder = "."): Promise<string[]> {
  const entries = await readdir(join(projectFolder, folder), { withFileTypes: true });
  const paths = entries
    .filter(({ name }) => !madeFolders.has(name))
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listProject(path) : [path];
    });
  return (await Promise.all(paths)).flat();
}

const madeFolders = new Set(["node_modules", "dist", ".git", "coverage"]);

export function readText(path: string): Promise<string> {
  return readFile(join(projectFolder, path), "utf8");
}

/** Those of the paths at which there is nothing. */
export async function findMissing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.allSettled(paths.map((path) => access(join(projectFolder, path))));
  return paths.filter((_, index) => found[index]?.status === "rejected");
}

/** The texts of all tests in a folder. */
export async function testTextsIn(folder: string): Promise<string[]> {
  const paths = (await listProject(folder)).filter((path) => /\.(?:test|limits)\.ts$/.test(path));
  return Promise.all(paths.map(readText));
}
