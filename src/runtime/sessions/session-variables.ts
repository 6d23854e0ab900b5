import type { Variables } from "../../tool/tool-context.ts";
import type { Store } from "../store/store.ts";
import type { SessionLog } from "./session-log.ts";
import { createVariables } from "./variables.ts";

/** A session's variables, including those from earlier runs. */
export interface SessionVariables {
  readonly variables: Variables;
  /** Shared by all sessions that work on the same task. */
  readonly taskVariables: Variables;
  /** By call id: the call that last undid or redid it. */
  readonly turns: Variables;
}

/** One map per task, shared by all sessions of the runtime that work on it. */
export type TaskVariables = Map<string, Promise<Map<string, unknown>>>;

export async function openSessionVariables(
  { store, log, shared }: { store: Pick<Store, "readVariables">; log: SessionLog; shared: TaskVariables },
  { id, taskId }: { readonly id: string; readonly taskId: string },
): Promise<SessionVariables> {
  const open = async (scope: string, known = store.readVariables(scope)) =>
    createVariables(scope, await known, log.noteVariable);
  const taskScope = `task:${taskId}`;
  const known = shared.get(taskScope) ?? store.readVariables(taskScope);
  shared.set(taskScope, known);
  return {
    variables: await open(`session:${id}`),
    taskVariables: await open(taskScope, known),
    turns: await open(turnsScope(id)),
  };
}

/** Where it is recorded which call last undid or redid another. */
export function turnsScope(sessionId: string): string {
  return `turns:${sessionId}`;
}
