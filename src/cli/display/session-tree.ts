import type { SessionRecord } from "../../runtime/store/store.ts";

export interface SessionBranch {
  readonly session: SessionRecord;
  /** How many stand above it. */
  readonly depth: number;
}

/**
 * Sessions in their order, each with those of its agents below it, as they were sent off; of all sessions, or of one and
 * what is below that.
 */
export function sessionTree(sessions: readonly SessionRecord[], top?: string): readonly SessionBranch[] {
  const ids = new Set(sessions.map(({ id }) => id));
  const hasParent = ({ parent }: SessionRecord) => parent !== undefined && ids.has(parent.sessionId);
  const children = Map.groupBy(sessions.filter(hasParent), ({ parent }) => parent!.sessionId);
  const withThoseBelow = (session: SessionRecord, depth: number): SessionBranch[] => [
    { session, depth },
    ...(children.get(session.id) ?? [])
      .toSorted(byCreation)
      .flatMap((child) => withThoseBelow(child, depth + 1)),
  ];
  const tops = sessions.filter((session) => (top === undefined ? !hasParent(session) : session.id === top));
  return tops.flatMap((session) => withThoseBelow(session, 0));
}

function byCreation({ createdAt: one }: SessionRecord, { createdAt: other }: SessionRecord): number {
  return one < other ? -1 : Number(one > other);
}
