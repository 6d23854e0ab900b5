import { join, resolve } from "node:path";
import { readSmallFile } from "./read-small-file.ts";

/** Where a folder's `.git` leads that is a file, as in a linked worktree or a submodule; undefined where it is none. */
export async function readGitLink(folder: string): Promise<string | undefined> {
  return parseGitLink(await readSmallFile(join(folder, ".git")), folder);
}

export function parseGitLink(text: string, folder: string): string | undefined {
  const target = /^gitdir: ([^\0\n]+)\n?$/.exec(text)?.[1];
  return target === undefined ? undefined : resolve(folder, target);
}
