import { basename, join, resolve } from "node:path";
import type { Place } from "../../machine/paths/index.ts";
import { relativeInside } from "../../shared/relative-inside.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import { isProtectedName, isSensitiveName } from "./paths/judge-path.ts";
import { isAbout, type Rules } from "./rules/rule.ts";

/** One action on everything in a folder; `to` is the destination when the folder is moved or copied. */
export interface TreeUse<Path = string> {
  readonly from: Path;
  readonly actions: readonly ("read" | "write")[];
  readonly to?: Path | undefined;
}

/** Lists everything in a folder as paths relative to it; empty if it is not a folder. Throws if it cannot be listed. */
export type ListTree = (folder: Place, signal: AbortSignal) => Promise<readonly string[]>;

export interface RestrictedName {
  readonly action: "read" | "write";
  readonly path: string;
}

/** The entries of a folder that a deny or ask rule or the floor restricts, so that each needs its own verdict. */
export function restrictedNames(
  names: readonly string[],
  use: TreeUse<Pick<Place, "written" | "canonical">>,
  { tool, root, rules, isApproved }: { tool: string; root: string; rules: Rules; isApproved: boolean },
): RestrictedName[] {
  const restricting = [...rules.deny, ...rules.ask].filter(({ matchesPath }) => matchesPath !== undefined);
  const about = {
    read: restricting.filter((rule) => isAbout(rule, tool, "read")),
    write: restricting.filter((rule) => isAbout(rule, tool, "write")),
  };
  const touched: { action: "read" | "write"; place: typeof use.from }[] = use.actions.map((action) => ({
    action,
    place: use.from,
  }));
  if (use.to !== undefined) touched.push({ action: "write", place: use.to });
  const folders = touched.map(({ action, place: { written, canonical } }) => ({
    action,
    written,
    // A rule may be about the path as it is written, or about where links in it lead.
    readings: [...new Set([resolve(root, written), canonical])],
  }));
  return names.flatMap((inside) =>
    folders.flatMap(({ action, written, readings }): RestrictedName[] => {
      const isRestricted =
        // Approving the folder covers names that are common in folders, such as `.git`.
        (!isApproved && floorNames[action](basename(inside))) ||
        readings.some((folder) => {
          const absolute = join(folder, inside);
          const path = { absolute, relative: relativeInside(root, absolute) };
          return about[action].some(({ matchesPath }) => matchesPath?.(path));
        });
      return isRestricted ? [{ action, path: `${written}/${inside}` }] : [];
    }),
  );
}

const floorNames = { read: isSensitiveName, write: isProtectedName } as const;

/** The declared actions on whole folders, grouped by folder because each is listed only once. */
export function treeUsesOf(requests: readonly PermissionRequest[]): TreeUse[] {
  const folders = requests.filter(isFolder);
  const places = new Set(folders.flatMap(({ treesOf }) => treesOf));
  return [...places].map((from) => {
    const here = folders.filter(({ target, treesOf }) => target === from && treesOf.includes(from));
    const there = folders.find(({ target, treesOf }) => target !== from && treesOf.includes(from));
    return { from, actions: here.map(({ action }) => action), to: there?.target };
  });
}

type FolderRequest = PermissionRequest & {
  readonly action: "read" | "write";
  readonly target: string;
  readonly treesOf: readonly string[];
};

function isFolder(request: PermissionRequest): request is FolderRequest {
  const { action, target, treesOf } = request;
  return treesOf !== undefined && target !== undefined && (action === "read" || action === "write");
}
