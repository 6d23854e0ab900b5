import type { ListSessionsResponse, SessionInfo } from "@agentclientprotocol/sdk";
import { readSessionTitle } from "../../agent/transcript/session-title.ts";
import type { Runtime } from "../../open-runtime.ts";
import { relativeInside } from "../../shared/relative-inside.ts";

/** A page of the project's conversations, the latest first; sub-agents have none of their own. */
export async function listSessions(
  runtime: Runtime,
  { cwd, cursor }: { cwd?: string | null | undefined; cursor?: string | null | undefined },
): Promise<ListSessionsResponse> {
  const start = cursor == null ? 0 : Number(cursor);
  if (!Number.isSafeInteger(start) || start < 0)
    throw new TypeError(`unknown cursor ${JSON.stringify(cursor)}`);
  const all = (await runtime.sessions())
    .filter(({ parent, workspace }) => parent === undefined && (cwd == null || isSameFolder(workspace, cwd)))
    .toSorted((one, other) => (one.openedAt < other.openedAt ? 1 : -1));
  const page = all.slice(start, start + pageSize);
  const sessions = await Promise.all(
    page.map(async ({ id, workspace, openedAt, closedAt }): Promise<SessionInfo> => {
      const title = await readSessionTitle(runtime, id);
      return { sessionId: id, cwd: workspace, updatedAt: closedAt ?? openedAt, ...(title && { title }) };
    }),
  );
  const next = start + pageSize;
  return { sessions, ...(next < all.length && { nextCursor: String(next) }) };
}

const pageSize = 50;

function isSameFolder(one: string, other: string): boolean {
  return relativeInside(one, other) === "" || one === other;
}
