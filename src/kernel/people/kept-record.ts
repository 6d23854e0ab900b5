import type { Caller } from "../../tool/caller.ts";
import { isAliveIn, type ProcessLife } from "../store/process-life.ts";
import { ClaimLost, type Store, type VariableWrite } from "../store/store.ts";
import { maxWaitMs } from "./approvals.ts";

/**
 * Which client a caller is. An agent is known by the conversation that it works in, everybody else by who they are. Of
 * sub-agents, it counts whose work they do: the next one that is spawned for the same has another name.
 */
export function boundClient(caller: Caller, sessionId: string): readonly string[] {
  const { kind, name, transport, token, onBehalfOf } = caller;
  if (onBehalfOf !== undefined) return ["sub-agent", ...boundClient(onBehalfOf, sessionId)];
  return kind === "agent" ? [kind, name, sessionId] : [kind, name, transport ?? "", token ?? ""];
}

/** Writes an entry if what it requires still holds. False if somebody else was faster. */
export async function claim(
  store: Store,
  sessionId: string,
  entry: {
    readonly requires: readonly VariableWrite[];
    readonly variables: readonly VariableWrite[];
    readonly events?: Parameters<Store["append"]>[1]["events"];
  },
): Promise<boolean> {
  try {
    await store.append(sessionId, { events: [], ...entry });
    return true;
  } catch (error) {
    if (error instanceof ClaimLost) return false;
    throw error;
  }
}

/** Whether it is too old to be answered, or for its answer to be used. */
export function isOver(at: string): boolean {
  return !(Date.now() - Date.parse(at) < maxWaitMs);
}

/** The sessions with a record whose process still waits for the answer. */
export async function sessionsWaiting(
  store: Pick<Store, "lives">,
  found: readonly { readonly askedIn: string; readonly record: { readonly process?: ProcessLife } }[],
): Promise<ReadonlySet<string>> {
  const waiting = new Set<string>();
  for (const { askedIn, record } of found)
    if (record.process !== undefined && (await isAliveIn(store, record.process))) waiting.add(askedIn);
  return waiting;
}
