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
  /** Call it when the session is closed and everything is written. */
  release(): void;
}

/** One map per task, shared by all open sessions of the runtime that work on it. */
export type TaskVariables = Map<string, { readonly known: Promise<Map<string, unknown>>; users: number }>;

export async function openSessionVariables(
  { store, log, shared }: { store: Pick<Store, "readVariables">; log: SessionLog; shared: TaskVariables },
  { id, taskId }: { readonly id: string; readonly taskId: string },
): Promise<SessionVariables> {
  const open = async (scope: string, known = store.readVariables(scope)) =>
    createVariables(scope, await known, log.noteVariable);
  const taskScope = `task:${taskId}`;
  const task = shared.get(taskScope) ?? { known: store.readVariables(taskScope), users: 0 };
  shared.set(taskScope, task);
  task.users += 1;
  return {
    variables: await open(sessionScope(id)),
    taskVariables: await open(taskScope, task.known),
    turns: await open(turnsScope(id)),
    release() {
      task.users -= 1;
      if (task.users === 0) shared.delete(taskScope);
    },
  };
}

/** Where the variables of a session are kept. */
export function sessionScope(sessionId: string): string {
  return `session:${sessionId}`;
}

/** Where it is recorded which call last undid or redid another. */
export function turnsScope(sessionId: string): string {
  return `turns:${sessionId}`;
}
