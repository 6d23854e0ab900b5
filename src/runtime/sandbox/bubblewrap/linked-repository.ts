import { realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readGitLink } from "../../../shared/git-link.ts";
import { readSmallFile } from "../../../shared/read-small-file.ts";

/**
 * The folder of the repository that a root is a linked worktree of, if it is one. What the root says of itself does not count:
 * the repository has to name it, so that nothing is shown which did not belong to it before.
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

/** Where git keeps what belongs to the working tree in a root: in a worktree `.git` is a file that names it. */
export async function findOwnGitFolder(root: string): Promise<string> {
  return (await readGitLink(root)) ?? join(root, ".git");
}
