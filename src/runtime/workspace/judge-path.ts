import { foldName } from "./fold-name.ts";
import { protectedNames, sensitiveNames } from "./protected-names.ts";
import type { ResolvedPath } from "./resolved-path.ts";
import type { Roots } from "./workspace-roots.ts";

export type PathAction = "read" | "write";

/** What no mode lifts. */
export interface PathFloor {
  readonly decision: "deny" | "ask";
  readonly reason: string;
}

export function judgePath(
  path: string,
  place: { action: PathAction; resolved: ResolvedPath; links: readonly string[]; roots: Roots },
): PathFloor | undefined {
  const { action, resolved, links, roots } = place;
  const mayGo = action === "read" ? roots.mayRead(resolved.canonical) : resolved.inside;
  if (!mayGo) return { decision: "deny", reason: `${path} leads outside the workspace` };
  if (resolved.kind === "special") {
    return { decision: "deny", reason: `${path} is a device, pipe or socket, not a regular file` };
  }
  // A link's own name counts as well: what follows `.git` finds it whatever it leads to.
  const names = [resolved.canonical, ...links].flatMap(roots.namesBeneath);
  const name = names.find(action === "read" ? isSensitive : isProtected);
  if (name === undefined) return undefined;
  const why = action === "read" ? "may hold secrets" : "can make programs run later";
  return { decision: "ask", reason: `${path} is or lies in ${JSON.stringify(name)}, which ${why}` };
}

const isProtected = createNameTest(protectedNames);
const isSensitive = createNameTest(sensitiveNames);

function createNameTest(patterns: readonly string[]): (name: string) => boolean {
  return (name) => {
    const folded = foldName(name);
    return patterns.some((pattern) => matches(folded, pattern));
  };
}

function matches(folded: string, pattern: string): boolean {
  const [head = "", tail] = pattern.split("*");
  if (tail === undefined) return folded === pattern;
  return folded.length >= head.length + tail.length && folded.startsWith(head) && folded.endsWith(tail);
}
