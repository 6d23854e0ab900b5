import { lstat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { openContained, outside, type Place } from "../../machine/paths/index.ts";
import type { Roots } from "../../shared/files/workspace-roots.ts";
import { readGitLink } from "../../shared/git-link.ts";
import { ToolError } from "../../tool/tool-error.ts";

export type SearchRoot = Awaited<ReturnType<typeof openSearchRoot>>;

/** The kind of git repository around a folder: its own, that of a linked worktree, or none. */
type RepositoryKind = "own" | "linked" | "none";

/** Opens the place where a search starts. Results are relative to its `folder`, with `/` between names. */
export async function openSearchRoot(
  place: Place,
  { roots, showsAbsolutePaths }: { roots: Roots; showsAbsolutePaths: boolean },
) {
  const { written: path, canonical, relative, kind, inside } = place;
  if (!roots.mayRead(canonical)) throw outside(path, roots.root);
  if (kind === "special") throw new ToolError("not-a-file", `${path} is a device, pipe or socket`);
  if (kind === "missing") throw notFound(path);
  const folder = kind === "file" ? dirname(canonical) : canonical;
  const repository = await findRepositoryKind(folder);
  const { handle, location } = await openContained(folder, {
    kind: "directory",
    shownPath: path,
    mayOpen: (opened) => opened === folder,
  });
  const start = asPrefix(folder);
  const relativeFolder = kind === "file" && relative !== undefined ? dirname(relative) : relative;
  const prefix =
    relativeFolder === undefined ? undefined : relativeFolder === "." ? "" : asPrefix(relativeFolder);
  const shownPrefix = showsAbsolutePaths ? start : (prefix ?? start);
  return {
    /** The path as shown in results. */
    path: showsAbsolutePaths ? canonical : (relative ?? canonical),
    /** The folder to search, with links resolved: the requested one, or that of the requested file. */
    folder,
    /** Leads to the very folder that was checked, even if its path is replaced. */
    location,
    /** If a file was requested, its name: the only one in the folder that counts. */
    onlyName: kind === "file" ? basename(canonical) : undefined,
    isInside: inside,
    repository,
    nameOf: (found: string) => shownPrefix + found,
    /** Relative to the workspace; undefined outside. */
    relativeOf: (found: string) => (prefix === undefined ? undefined : prefix + found),
    absoluteOf: (found: string) => start + found,
    close: () => handle.close(),
  };
}

function notFound(path: string): ToolError {
  return new ToolError("not-found", `${path} does not exist`, {
    hint: "List its folder to see what is there.",
  });
}

/** A linked worktree's `.git` is a file. */
export async function findRepositoryKind(folder: string): Promise<RepositoryKind> {
  for (let place = folder; ; place = dirname(place)) {
    const stats = await lstat(join(place, ".git")).catch(() => undefined);
    if (stats !== undefined) return (await leadsToWorktree(place)) ? "linked" : "own";
    if (place === dirname(place)) return "none";
  }
}

/** A submodule's `.git` is a file too, but its git folder has no `commondir`. */
async function leadsToWorktree(folder: string): Promise<boolean> {
  const own = await readGitLink(folder);
  if (own === undefined) return false;
  const shared = await lstat(join(own, "commondir")).catch(() => undefined);
  return shared?.isFile() ?? false;
}

/** Plain concatenation is enough: ripgrep's paths need no normalising. */
function asPrefix(folder: string): string {
  return folder.endsWith("/") ? folder : `${folder}/`;
}
