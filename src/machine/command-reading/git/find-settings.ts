import { dirname, join, resolve } from "node:path";
import { parseGitLink } from "../../../shared/git-link.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { MachineFacts } from "../facts/machine-facts.ts";

/** The repository that git uses in a folder and the files that may hold its settings, or why they cannot be found. */
export type FoundSettings =
  | {
      /** The folder that has the `.git`. */
      readonly repository: string;
      readonly files: readonly string[];
      /** Where git lists the files that it tracks. */
      readonly index: string;
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
    // Some people keep their settings in a repository like this; the workspace does not belong to it.
    if (await world.holdsHome(around)) return { problem: `the repository ${around} holds the home folder` };
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
  if ("problem" in found) return found;
  if (!isHead(await world.readText(`${own}/HEAD`))) return incomplete(own);
  return { ...found, index: `${own}/index`, files: [...found.files, `${own}/config.worktree`] };
}

/** A submodule, as git lays it out: with a `.git` folder, or with a file that points into the repository's `.git`. */
export async function findSubmoduleSettings(
  folder: string,
  { modules, world }: { readonly modules: string; readonly world: MachineFacts },
): Promise<(FoundSettings & { readonly gitFolder?: string }) | undefined> {
  const path = `${folder}/.git`;
  const kind = await world.kindOf(path);
  if (kind === undefined) return undefined;
  const gitFolder = kind === "file" ? parseGitLink((await world.readText(path)) ?? "", folder) : path;
  if (gitFolder === undefined || (kind === "file" && relativeInside(modules, gitFolder) === undefined))
    return { problem: `the submodule ${folder} points to an unknown repository` };
  return { ...(await settingsIn(folder, gitFolder, world)), gitFolder };
}

async function settingsIn(
  repository: string,
  gitFolder: string,
  world: MachineFacts,
): Promise<FoundSettings> {
  const inside = (name: string) => `${gitFolder}/${name}`;
  const [kind, common, objects, refs, borrowed, head] = await Promise.all([
    world.kindOf(gitFolder),
    world.kindOf(inside("commondir")),
    world.kindOf(inside("objects")),
    world.kindOf(inside("refs")),
    world.kindOf(inside("objects/info/alternates")),
    world.readText(inside("HEAD")),
  ]);
  if (kind !== "directory") return { problem: `${gitFolder} is not a folder` };
  if (common !== undefined) return { problem: "the repository keeps its settings elsewhere" };
  if (objects !== "directory" || refs !== "directory" || !isHead(head)) return incomplete(gitFolder);
  if (borrowed !== undefined) return { problem: "the repository takes objects from another one" };
  const files = ["config", "config.worktree"].map(inside);
  return { repository, files, index: inside("index") };
}

/** Git would look further, and find another repository. */
function incomplete(gitFolder: string): FoundSettings {
  return { problem: `${gitFolder} is not a complete repository` };
}

function isHead(text: string | undefined): boolean {
  return text !== undefined && /^(?:ref:\s*refs\/[^\0]+|[0-9a-f]{40}(?:[0-9a-f]{24})?\s*)$/.test(text);
}
