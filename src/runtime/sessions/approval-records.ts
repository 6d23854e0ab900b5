import { isPlainObject } from "../../shared/json.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import type { ApprovalRecords, ApprovalRequest } from "../policy/approvals/approvals.ts";
import { isAliveIn } from "../store/process-life.ts";
import type { Store } from "../store/store.ts";
import type { SessionLog } from "./session-log.ts";

/** Keeps what waits for a decision in the store, with secrets masked, so that any process can show and decide it. */
export function createApprovalRecords(
  { log, redactor }: { log: Pick<SessionLog, "noteVariable">; redactor: Redactor },
  sessionId: string,
): ApprovalRecords {
  const scope = approvalScope(sessionId);
  return {
    add: (request) => log.noteVariable({ scope, name: request.id, value: redactor.value(request) }),
    remove: (name) => log.noteVariable({ scope, name, value: undefined }),
  };
}

/** Those whose process died while they waited are left over: their calls have not begun, and never will. */
export async function removeLostApprovals(
  store: Pick<Store, "readVariables">,
  sessionId: string,
  log: Pick<SessionLog, "noteVariable">,
): Promise<void> {
  const scope = approvalScope(sessionId);
  for (const name of (await store.readVariables(scope)).keys()) {
    log.noteVariable({ scope, name, value: undefined });
  }
}

/** The calls of a session, and of its sub-agents, that wait for a decision, oldest first. */
export async function readApprovals(
  store: Pick<Store, "readVariables">,
  sessionId: string,
): Promise<readonly ApprovalRequest[]> {
  const requests = [...(await store.readVariables(approvalScope(sessionId))).values()].filter(isRequest);
  return requests.sort((one, other) => (one.requestedAt < other.requestedAt ? -1 : 1));
}

export interface WaitingCall {
  /** The session whose owner takes the decision: for a sub-agent, the one that it was spawned from. */
  readonly askedIn: string;
  readonly request: ApprovalRequest;
}

/** Every call that waits for a decision, in whichever process. */
export async function listWaiting(store: Store): Promise<readonly WaitingCall[]> {
  const waiting: WaitingCall[] = [];
  for (const askedIn of await findWaiting(store)) {
    const owner = (await store.readLease(askedIn))?.owner;
    if (owner === undefined || !(await isAliveIn(store, owner))) continue;
    for (const request of await readApprovals(store, askedIn)) waiting.push({ askedIn, request });
  }
  return waiting;
}

/** The sessions with calls that wait for a decision, or waited when their process died. */
export async function findWaiting(store: Pick<Store, "listScopes">): Promise<readonly string[]> {
  return (await store.listScopes(approvalScope(""))).map((scope) => scope.slice(approvalScope("").length));
}

/** Where the calls of a session that wait for a decision are kept, by the id of the approval. */
export function approvalScope(sessionId: string): string {
  return `approvals:${sessionId}`;
}

function isRequest(value: unknown): value is ApprovalRequest {
  return isPlainObject(value) && typeof value.id === "string" && typeof value.requestedAt === "string";
}
