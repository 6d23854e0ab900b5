import { ToolError } from "../../../tool/tool-error.ts";

import { listMessages, readConversation, readLog } from "../../session/index.ts";
import type { Store } from "../../store/index.ts";
import type { RuntimePlaces } from "../opening.ts";
import type { SessionFork } from "../session.ts";

/** Refuses to fork a session or message that does not exist, before anything of the new session is recorded. */
export async function checkFork({ store, workspace }: RuntimePlaces, { from, before }: SessionFork) {
  const source = (await store.listSessions()).find(({ id }) => id === from);
  if (source === undefined)
    throw new ToolError("not-found", `there is no session ${JSON.stringify(from)} to fork`, {
      hint: "`toolwright sessions` lists them.",
    });
  if (source.workspace !== workspace.root)
    throw new ToolError("conflict", `session ${from} belongs to another workspace, ${source.workspace}`, {
      hint: "Open the fork in that workspace.",
    });
  if (before === undefined) return;
  const messages = await listMessages(readConversation(store, from));
  if (messages.some(({ sequence, sessionId }) => sequence === before && sessionId === from)) return;
  throw new ToolError("not-found", `the conversation of ${from} has no message ${before}`, {
    hint: "session.messages() lists those that it has.",
  });
}

export function alreadyThere(id: string): ToolError {
  return new ToolError("conflict", `session ${id} exists already; only a new one can begin as a fork`, {
    hint: "Leave the id out.",
  });
}

/** The sessions whose conversation this one begins with, nearest first. */
export async function findForkSources(store: Store, id: string, fork: SessionFork | undefined) {
  const sources: string[] = [];
  let next = fork?.from ?? (await sourceOf(store, id));
  while (next !== undefined && !sources.includes(next) && sources.length < maxSources) {
    sources.push(next);
    next = await sourceOf(store, next);
  }
  return sources;
}

const maxSources = 100;

async function sourceOf(store: Store, id: string): Promise<string | undefined> {
  for await (const event of readLog(store, id, 0)) {
    if (event.type === "conversation-fork") return event.from;
    if (event.type === "session-open") return undefined;
  }
  return undefined;
}
