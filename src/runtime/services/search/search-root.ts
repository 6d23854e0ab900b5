import { lstat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readGitLink } from "../../../shared/git-link.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { openContained, outside } from "../../policy/paths/open-contained.ts";
import type { Place } from "../../policy/paths/place.ts";
import type { Roots } from "../../policy/paths/workspace-roots.ts";

/** Where a search begins. What is found beneath it is told relative to `folder`, with `/` between names. */
export interface SearchRoot {
  /** As results name it. */
  readonly path: string;
  /** What was named, without links. */
  readonly canonical: string;
  /** Where the search begins, without links: what was named, or where the named file is. */
  readonly folder: string;
  /** Leads to the very folder that was checked, whatever becomes of its path. */
  readonly location: string;
  /** Set where a file was named: the one name in the folder that counts. */
  readonly onlyName: string | undefined;
  readonly isInside: boolean;
  /** The folder is in a linked git worktree. */
  readonly isLinked: boolean;
  nameOf(found: string): string;
  absoluteOf(found: string): string;
  close(): Promise<void>;
}

export async function openSearchRoot(place: Place, roots: Roots): Promise<SearchRoot> {
  const { written: path, canonical, relative, kind, inside } = place;
  if (!roots.mayRead(canonical)) throw outside(path);
  if (kind === "special") throw new ToolError("not-a-file", `${path} is a device, pipe or socket`);
  if (kind === "missing") throw notFound(path);
  const folder = kind === "file" ? dirname(canonical) : canonical;
  const isLinked = await isInWorktree(folder);
  const { handle, location } = await openContained(folder, {
    kind: "directory",
    shownPath: path,
    mayOpen: (opened) => opened === folder,
  });
  const name = relative ?? canonical;
  const start = asPrefix(folder);
  const shownFolder = kind === "file" ? dirname(name) : name;
  const prefix = shownFolder === "." ? "" : asPrefix(shownFolder);
  return {
    path: name,
    canonical,
    folder,
    location,
    onlyName: kind === "file" ? basename(canonical) : undefined,
    isInside: inside,
    isLinked,
    nameOf: (found) => prefix + found,
    absoluteOf: (found) => start + found,
    close: () => handle.close(),
  };
}

function notFound(path: string): ToolError {
  return new ToolError("not-found", `${path} does not exist`, {
    hint: "List the folder it should be in to see what is there.",
  });
}

/** Whether the nearest repository around a folder is a linked worktree: its `.git` is a file that leads to one. */
export async function isInWorktree(folder: string): Promise<boolean> {
  for (let place = folder; ; place = dirname(place)) {
    const stats = await lstat(join(place, ".git")).catch(() => undefined);
    if (stats !== undefined) return leadsToWorktree(place);
    if (place === dirname(place)) return false;
  }
}

/** A submodule's is a file as well, and leads to where nothing is shared. */
async function leadsToWorktree(folder: string): Promise<boolean> {
  const own = await readGitLink(folder);
  if (own === undefined) return false;
  const shared = await lstat(join(own, "commondir")).catch(() => undefined);
  return shared?.isFile() ?? false;
}

/** What is found has been told step by step, so that there is nothing to normalise. */
function asPrefix(folder: string): string {
  return folder.endsWith("/") ? folder : `${folder}/`;
}
