import { realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readSmallFile } from "../../../shared/files/read-small-file.ts";
import { readGitLink } from "../../../shared/git-link.ts";

/**
 * The repository folder of a root that is a linked worktree; otherwise undefined. The repository must name the root as
 * its worktree: a root's own claim could make any folder visible.
 */
export async function findLinkedRepository(root: string): Promise<string | undefined> {
  const own = await findOwnGitFolder(root);
  const gitFolder = dirname(dirname(own));
  const [place, common, canonical] = await Promise.all([
    readSmallFile(join(own, "gitdir")),
    readSmallFile(join(own, "commondir")),
    realpath(own).catch(() => undefined),
  ]);
  const isNamed = resolve(own, place.replace(/\n$/, "")) === join(root, ".git") && common === "../..\n";
  return isNamed && canonical === own ? gitFolder : undefined;
}

/** The git folder of a root's working tree; in a linked worktree, `.git` is a file that names it. */
export async function findOwnGitFolder(root: string): Promise<string> {
  return (await readGitLink(root)) ?? join(root, ".git");
}
