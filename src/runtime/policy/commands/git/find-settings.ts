import { dirname, resolve } from "node:path";
import { parseGitLink } from "../../../../shared/git-link.ts";
import { relativeInside } from "../../../../shared/relative-inside.ts";
import type { MachineFacts } from "../command-finding.ts";

/** The files that may hold settings of the workspace's own repository, or why they cannot be found. */
export type FoundSettings = { readonly files: readonly string[] } | { readonly problem: string };

export async function findSettings(root: string, world: MachineFacts): Promise<FoundSettings> {
  const path = `${root}/.git`;
  const kind = await world.kindOf(path);
  if (kind === "file") return findLinkedSettings(root, world);
  if (kind !== "directory") return { problem: "the workspace has no .git folder of its own" };
  return settingsIn(path, world);
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
  const found = await settingsIn(gitFolder, world);
  return "problem" in found ? found : { files: [...found.files, `${own}/config.worktree`] };
}

async function settingsIn(gitFolder: string, world: MachineFacts): Promise<FoundSettings> {
  if ((await world.kindOf(gitFolder)) !== "directory")
    return { problem: "the repository's folder does not exist" };
  if ((await world.kindOf(`${gitFolder}/commondir`)) !== undefined)
    return { problem: "the repository keeps its settings elsewhere" };
  return { files: ["config", "config.worktree"].map((name) => `${gitFolder}/${name}`) };
}
