import { dirname, join, resolve } from "node:path";
import { parseGitLink } from "../../../../shared/git-link.ts";
import { relativeInside } from "../../../../shared/relative-inside.ts";
import type { MachineFacts } from "../command-finding.ts";

/** The repository that git uses in a folder and the files that may hold its settings, or why they cannot be found. */
export type FoundSettings =
  | {
      /** The folder that has the `.git`. */
      readonly repository: string;
      readonly files: readonly string[];
    }
  | { readonly problem: string };

/** Looks where git does: in the workspace's root, then in the folders around it, as for a package of a larger repository. */
export async function findSettings(root: string, world: MachineFacts): Promise<FoundSettings> {
  const path = join(root, ".git");
  const kind = await world.kindOf(path);
  if (kind === "file") return findLinkedSettings(root, world);
  if (kind !== undefined) return settingsIn(root, path, world);
  for (let folder = root; ; folder = dirname(folder)) {
    if (await isBare(folder, world)) return { problem: `${folder} looks like a bare repository` };
    const around = dirname(folder);
    if (around === folder) return { problem: "the workspace is in no git repository" };
    if ((await world.kindOf(join(around, ".git"))) === undefined) continue;
    // Some people keep their settings in a repository like this; the workspace is no part of it.
    if (await world.holdsHome?.(around)) return { problem: `the repository ${around} holds the home folder` };
    return settingsIn(around, join(around, ".git"), world);
  }
}

/** Whether git would take the folder itself for a repository. */
export async function isBare(folder: string, world: MachineFacts): Promise<boolean> {
  const [objects, refs, common] = await Promise.all(
    ["objects", "refs", "commondir"].map((name) => world.kindOf(join(folder, name))),
  );
  return (objects !== undefined && refs !== undefined) || common !== undefined;
}

/** In a worktree, `.git` is a file that points into the repository's folder, which must point back to the worktree. */
async function findLinkedSettings(root: string, world: MachineFacts): Promise<FoundSettings> {
  const link = (await world.readText(`${root}/.git`)) ?? "";
  const own = parseGitLink(link, root);
  if (own === undefined) return { problem: "the workspace's .git file cannot be parsed" };
  const gitFolder = dirname(dirname(own));
  // The folder must be named `.git`: only then is it protected, and commands cannot write its settings unasked.
  const isProtected = gitFolder.split("/").includes(".git") && relativeInside(root, own) === undefined;
  const [ownKind, common, place] = await Promise.all([
    world.kindOf(own),
    world.readText(`${own}/commondir`),
    world.readText(`${own}/gitdir`),
  ]);
  const isKnownThere =
    ownKind === "directory" &&
    common === "../..\n" &&
    resolve(own, (place ?? "").replace(/\n$/, "")) === `${root}/.git`;
  if (!isProtected || !isKnownThere)
    return { problem: "the workspace's .git file points to an unknown repository" };
  const found = await settingsIn(root, gitFolder, world);
  return "problem" in found ? found : { ...found, files: [...found.files, `${own}/config.worktree`] };
}

async function settingsIn(
  repository: string,
  gitFolder: string,
  world: MachineFacts,
): Promise<FoundSettings> {
  if ((await world.kindOf(gitFolder)) !== "directory") return { problem: `${gitFolder} is not a folder` };
  if ((await world.kindOf(`${gitFolder}/commondir`)) !== undefined)
    return { problem: "the repository keeps its settings elsewhere" };
  return { repository, files: ["config", "config.worktree"].map((name) => `${gitFolder}/${name}`) };
}
