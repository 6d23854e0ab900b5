import { join, resolve } from "node:path";
import { readSmallFile } from "./files/read-small-file.ts";

/** The target of a `.git` file, as in a linked worktree or a submodule; undefined if `.git` is not a file. */
export async function readGitLink(folder: string): Promise<string | undefined> {
  return parseGitLink(await readSmallFile(join(folder, ".git")), folder);
}

export function parseGitLink(text: string, folder: string): string | undefined {
  const target = /^gitdir: ([^\0\n]+)\n?$/.exec(text)?.[1];
  return target === undefined ? undefined : resolve(folder, target);
}
