import { createNameTest } from "../../../shared/glob/name-test.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { Place } from "./place.ts";
import { protectedNames, sensitiveNames } from "./protected-names.ts";

import type { Roots } from "./workspace-roots.ts";

export type PathAction = "read" | "write";

/** What no mode lifts. */
export interface Floor {
  readonly decision: "deny" | "ask";
  readonly reason: string;
  /** It is about leaving the workspace, or about what is no regular file. */
  readonly isBoundary?: boolean;
  /** Besides, it may hold secrets. */
  readonly isSensitive?: boolean;
}

/** What holds at a place, whatever the rules and the mode say. */
export function judgePath(
  place: Place,
  action: PathAction,
  { roots, stateFolder }: { roots: Roots; stateFolder: string | undefined },
): Floor | undefined {
  const { written, canonical, inside, kind, links } = place;
  const mayGo = action === "read" ? roots.mayRead(canonical) : inside;
  if (stateFolder !== undefined && isOwnState(place, action, { roots, stateFolder })) {
    return { decision: "deny", reason: `${written} belongs to Toolwright's own records` };
  }
  if (!mayGo) {
    const reason = `${written} leads outside the workspace`;
    return { decision: "deny", reason, isBoundary: true, isSensitive: isSecretPlace(canonical) };
  }
  if (kind === "special") {
    const reason = `${written} is a device, pipe or socket, not a regular file`;
    return { decision: "deny", reason, isBoundary: true, isSensitive: true };
  }
  // A link's own name counts as well: what follows `.git` finds it whatever it leads to.
  const names = [canonical, ...links].flatMap(roots.namesBeneath);
  const name = names.find(action === "read" ? isSensitiveName : isProtectedName);
  if (name === undefined) return undefined;
  const why = action === "read" ? "may hold secrets" : "can make programs run later";
  return { decision: "ask", reason: `${written} is or lies in ${JSON.stringify(name)}, which ${why}` };
}

/**
 * The state folder may lie inside a workspace such as the home folder; what we keep there is still not for tools. Who moves
 * or deletes a folder above it would take it along.
 */
function isOwnState(
  { canonical, relative, inside }: Place,
  action: PathAction,
  { roots, stateFolder }: { roots: Roots; stateFolder: string },
): boolean {
  if (relativeInside(stateFolder, canonical) !== undefined)
    return action === "write" || !roots.inReadableRoot(canonical);
  const isAbove = relative !== "." && relativeInside(canonical, stateFolder) !== undefined;
  return action === "write" && inside && isAbove;
}

/** Outside, what the system itself keeps to itself counts as well. */
function isSecretPlace(canonical: string): boolean {
  return canonical.split("/").some(isSensitiveName) || /^\/(?:proc|sys|dev|etc\/g?shadow)/.test(canonical);
}

/** Asked about before writing, by the name alone. */
export const isProtectedName = createNameTest(protectedNames);
/** Asked about before reading, by the name alone. */
export const isSensitiveName = createNameTest(sensitiveNames);
