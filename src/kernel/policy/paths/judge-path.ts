import type { Place } from "../../../machine/paths/index.ts";
import type { Roots } from "../../../shared/files/workspace-roots.ts";
import { foldName } from "../../../shared/glob/fold-name.ts";
import { createNameTest } from "../../../shared/glob/name-test.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { protectedNames, sensitiveNames } from "./protected-names.ts";

export type PathAction = "read" | "write";

/** A restriction that holds in every mode. */
export interface Floor {
  readonly decision: "deny" | "ask";
  readonly reason: string;
  /** The path is outside the workspace, or is not a regular file. */
  readonly isBoundary?: boolean;
  /** Set for such paths if they may also hold secrets. */
  readonly isSensitive?: boolean;
}

/** The floor's verdict on a place, independent of rules and mode; undefined if the floor allows it. */
export function judgePath(
  place: Place,
  action: PathAction,
  {
    roots,
    own,
    lent,
    code,
    home,
  }: {
    roots: Roots;
    own: readonly string[];
    /** A folder among our own that tools may use here. */
    lent?: string | undefined;
    code: readonly string[];
    /** Without links; undefined if the user has none. */
    home: string | undefined;
  },
): Floor | undefined {
  const { written, canonical, inside, kind, links } = place;
  const mayGo = action === "read" ? roots.mayRead(canonical) : inside;
  const isLent = lent !== undefined && relativeInside(lent, canonical) !== undefined;
  const record = isLent ? undefined : own.find((folder) => isOwnState(place, action, { roots, folder }));
  if (record !== undefined) {
    const isIn = relativeInside(record, canonical) !== undefined;
    const reason = `${isIn ? written : record} belongs to Toolwright's own records`;
    return { decision: "deny", reason: isIn ? reason : `${reason}, and ${written} holds it` };
  }
  if (!mayGo) {
    const reason = `${written} leads outside the workspace ${roots.root}`;
    return { decision: "deny", reason, isBoundary: true, isSensitive: isSecretPlace(canonical) };
  }
  if (kind === "special") {
    const reason = `${written} is a device, pipe or socket, not a regular file`;
    return { decision: "deny", reason, isBoundary: true, isSensitive: true };
  }
  const loaded = action === "write" ? code.find((path) => changes(place, path)) : undefined;
  if (loaded !== undefined) {
    const reason = `${written} may run as code later (Toolwright loads ${loaded})`;
    return { decision: "ask", reason };
  }
  // The name of a link counts too: git follows a link named `.git` wherever it leads.
  const ways = [canonical, ...links];
  const paths = ways.map(roots.namesBeneath);
  const name = action === "read" ? findSecret(place, paths) : paths.flat().find(isProtectedName);
  const entry = action === "read" || name !== undefined ? undefined : findEntry(ways, { home, roots });
  const found = name ?? entry;
  if (found === undefined) return undefined;
  const [why, nameKind] =
    action === "read" ? ["hold secrets", "sensitive"] : ["run as code later", "protected"];
  const where = entry === undefined ? "" : " in the home folder";
  const reason = `${written} may ${why} (${nameKind} name ${JSON.stringify(found)}${where})`;
  return { decision: "ask", reason };
}

function findEntry(
  ways: readonly string[],
  { home, roots }: { home: string | undefined; roots: Roots },
): string | undefined {
  const entries = ways.map((path) => findHomeEntry(path, { home, roots: roots.folders }));
  return entries.find((each) => each !== undefined);
}

/**
 * Our own folders may be inside a workspace such as the home folder, and are still off limits to tools. So are moving
 * and deleting the folders above them.
 */
function isOwnState(
  { canonical, relative, inside }: Place,
  action: PathAction,
  { roots, folder }: { roots: Roots; folder: string },
): boolean {
  if (relativeInside(folder, canonical) !== undefined)
    return action === "write" || !roots.inReadableRoot(canonical);
  return action === "write" && inside && isAbove({ canonical, relative }, folder);
}

function isAbove({ canonical, relative }: Pick<Place, "canonical" | "relative">, path: string): boolean {
  return relative !== "." && relativeInside(canonical, path) !== undefined;
}

/** Whether writing a place changes a path or its content; moving a folder above it does. */
function changes(place: Place, path: string): boolean {
  return relativeInside(path, place.canonical) !== undefined || isAbove(place, path);
}

function findSecret({ isPublic }: Place, paths: readonly (readonly string[])[]): string | undefined {
  return isPublic ? undefined : paths.map(findSensitiveName).find((name) => name !== undefined);
}

/** The first of a path's names that may hold secrets. Files of installed packages are public. */
export function findSensitiveName(names: readonly string[]): string | undefined {
  const at = names.findIndex((name) => isSensitiveName(name) || name === installedPackages);
  return names[at] === installedPackages ? undefined : names[at];
}

export function isSensitivePath(path: string): boolean {
  return findSensitiveName(path.split("/")) !== undefined;
}

const installedPackages = "node_modules";

/** Outside the workspace, the system's own private files count as secret too. */
function isSecretPlace(canonical: string): boolean {
  return canonical.split("/").some(isSensitiveName) || /^\/(?:proc|sys|dev|etc\/g?shadow)/.test(canonical);
}

/** Whether writing a file with this name needs approval. */
export const isProtectedName = createNameTest(protectedNames);
/** Whether reading a file with this name needs approval. */
export const isSensitiveName = createNameTest(sensitiveNames);

/**
 * The entry of the home folder that a path is or lies below, if its name begins with a dot: programs, shells and the
 * desktop obey their content without being told. Only where the home folder is part of the workspace; a separate root
 * below such an entry is a workspace like any other. All paths are absolute and contain no links.
 */
function findHomeEntry(
  path: string,
  { home, roots }: { readonly home: string | undefined; readonly roots: readonly string[] },
): string | undefined {
  if (home === undefined) return undefined;
  const [name = ""] = relativeInside(home, path)?.split("/") ?? [];
  if (name === "." || !foldName(name).startsWith(".")) return undefined;
  const around = roots.filter((root) => relativeInside(root, path) !== undefined);
  const isOpen = around.length > 0 && around.every((root) => relativeInside(root, home) !== undefined);
  return isOpen ? name : undefined;
}
