import { isAnything, isText, type KeptKind, type Store, taskScope } from "../store/index.ts";
import { type KeptValues, openKept } from "./kept/kept.ts";
import type { SessionLog } from "./session-log.ts";
import { createVariables } from "./variables.ts";

/** One map per task, shared by all open sessions of the runtime that work on it. */
export type TaskVariables = Map<string, { readonly known: Promise<Map<string, unknown>>; users: number }>;

/** Opens a session's variables, including those from earlier runs. */
export async function openSessionVariables(
  { store, log, taskVariables: shared }: { store: Store; log: SessionLog; taskVariables: TaskVariables },
  { id, taskId }: { readonly id: string; readonly taskId: string },
) {
  const kept = openKept({ store, log }, id);
  const open = async ({ scope, list }: Pick<KeptValues<unknown>, "scope" | "list">, known = list()) =>
    createVariables(scope, await known, log.noteVariable);
  const ofTask = openKept({ store, log }, taskId)(taskValues);
  const task = shared.get(taskId) ?? { known: ofTask.list(), users: 0 };
  shared.set(taskId, task);
  task.users += 1;
  return {
    variables: await open(kept(sessionValues)),
    /** Shared by all sessions that work on the same task. */
    taskVariables: await open(ofTask, task.known),
    /** By call id: the call that last undid or redid it. */
    turns: await open(kept(turnedCalls)),
    /** Called when the session is closed and everything is written. */
    release() {
      task.users -= 1;
      if (task.users === 0) shared.delete(taskId);
    },
  };
}

export const sessionValues: KeptKind = { scope: "session", isValue: isAnything };

export const taskValues: KeptKind = { scope: taskScope, owner: "task", isValue: isAnything };

/** By call: the id of the call that last undid or redid it. */
export const turnedCalls: KeptKind<string> = { scope: "turns", isValue: isText };
