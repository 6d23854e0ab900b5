import { access, readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { readSmallFile } from "../../../shared/files/read-small-file.ts";
import { readGitLink } from "../../../shared/git-link.ts";

/**
 * Tells which paths below a root git tracks, from the index of its repository; without an index, git tracks no path.
 */
export async function readGitIndex(root: string) {
  const { repository, gitFolder } = await findRepositoryAround(root);
  const index = await readFile(join(gitFolder, "index")).catch(() => undefined);
  return {
    /** In an index that compresses names, a path is not found. */
    tracks: (path: string): boolean => index !== undefined && isInIndex(index, relative(repository, path)),
    /** Whether something in a folder may be tracked; true too often rather than too seldom. */
    mayTrackIn: (folder: string): boolean => index?.includes(`${relative(repository, folder)}/`) ?? false,
  };
}

/** The working tree that a folder is in, and its git folder; the root may be a package of a larger repository. */
export async function findRepositoryAround(root: string): Promise<{ repository: string; gitFolder: string }> {
  const isHere = (folder: string) =>
    access(join(folder, ".git")).then(
      () => true,
      () => false,
    );
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    if (await isHere(folder)) return { repository: folder, gitFolder: await findOwnGitFolder(folder) };
  }
  return { repository: root, gitFolder: join(root, ".git") };
}

/** Also compares the length stored before each path; otherwise `.env` would be found at the end of `sub/.env`. */
function isInIndex(index: Buffer, path: string): boolean {
  const bytes = Buffer.from(`${path}\0`);
  const length = Math.min(bytes.length - 1, lengthBits);
  for (let at = index.indexOf(bytes); at !== -1; at = index.indexOf(bytes, at + 1)) {
    if (at < entryBytes) continue;
    const flags = index.readUInt16BE(at - 2);
    const earlier = index.readUInt16BE(at - 4);
    const isLonger = (earlier & longerEntry) !== 0 && (earlier & lengthBits) === length;
    if ((flags & lengthBits) === length || isLonger) return true;
  }
  return false;
}

// An entry in git's index: file metadata, flags with the path's length, further flags in extended entries, the path.
const entryBytes = 62;
const lengthBits = 0xfff;
const longerEntry = 0x4000;

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
async function findOwnGitFolder(root: string): Promise<string> {
  return (await readGitLink(root)) ?? join(root, ".git");
}
