import { basename, resolve } from "node:path";
import { relativeInside } from "../../shared/relative-inside.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import { isProtectedName, isSensitiveName } from "./paths/judge-path.ts";
import type { Place } from "./paths/place.ts";
import type { Rule, Rules } from "./rules/rule.ts";

/** What happens to everything in a folder: where it is now, and where it will be if it goes elsewhere. */
export interface TreeUse {
  readonly from: string;
  readonly actions: readonly ("read" | "write")[];
  readonly to?: string;
}

/** All that is in a folder, by the paths from it; nothing of what is no folder. Refuses a folder that cannot be listed. */
export type ListTree = (folder: Place, signal: AbortSignal) => Promise<readonly string[]>;

export interface RestrictedName {
  readonly action: "read" | "write";
  readonly path: string;
}

/** What in a folder a restricting rule, or the floor, speaks of: it is not let through with the folder as a whole. */
export function restrictedNames(
  names: readonly string[],
  use: TreeUse,
  { tool, root, rules, isApproved }: { tool: string; root: string; rules: Rules; isApproved: boolean },
): RestrictedName[] {
  const restricting = [...rules.deny, ...rules.ask].filter(
    (rule): rule is PathRule => rule.matchesPath !== undefined && rule.matchesTool(tool),
  );
  const isRestricted = ({ action, path }: RestrictedName) => {
    // Who let the folder go has let go what is usual in one, such as `.git`.
    if (!isApproved && floorNames[action](basename(path))) return true;
    const absolute = resolve(root, path);
    const relative = relativeInside(root, absolute);
    return restricting.some((rule) => rule.matchesPath({ absolute, relative }));
  };
  const touched = (inside: string): RestrictedName[] => {
    const here = use.actions.map((action) => ({ action, path: `${use.from}/${inside}` }));
    return use.to === undefined ? here : [...here, { action: "write", path: `${use.to}/${inside}` }];
  };
  return names.flatMap((inside) => touched(inside).filter(isRestricted));
}

type PathRule = Rule & Required<Pick<Rule, "matchesPath">>;

const floorNames = { read: isSensitiveName, write: isProtectedName } as const;

/** What is done to whole folders, as a tool declares it: one for each folder, since all that is in it has to be listed. */
export function treeUsesOf(requests: readonly PermissionRequest[]): TreeUse[] {
  const folders = requests.filter(isFolder);
  const places = new Set(folders.flatMap(({ treesOf }) => treesOf));
  return [...places].map((from) => {
    const here = folders.filter(({ target, treesOf }) => target === from && treesOf.includes(from));
    const there = folders.find(({ target, treesOf }) => target !== from && treesOf.includes(from));
    return { from, actions: here.map(({ action }) => action), ...(there && { to: there.target }) };
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
