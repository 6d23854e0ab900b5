import { isPlainObject } from "../../shared/json.ts";
import { newId, nextTime } from "../../shared/new-id.ts";
import { type Redactor, redactedMark } from "../../shared/secrets/redact.ts";
import type { SessionKept } from "../session/kept/kept.ts";
import { findKeptOwners, type KeptKind, keptIn, keptPlace } from "../store/kept/kept-kind.ts";
import { isAliveIn, ownLifeIn, type ProcessLife } from "../store/process-life.ts";
import type { Store } from "../store/store.ts";
import type {
  ApprovalDecision,
  ApprovalRecords,
  ApprovalRequest,
  KeptAnswer,
  KeptRequests,
  RequestBinding,
} from "./approvals.ts";
import { mayHideWhatActs } from "./hidden-parts.ts";
import { boundClient, claim, isOver, sessionsWaiting } from "./kept-record.ts";

/** A request as it is stored. */
interface ApprovalRecord extends ApprovalRequest {
  /** Absent if nobody could ask the same again. */
  readonly binding?: RequestBinding;
  /** Who waits for the answer. Absent if nobody does: whoever asks the same again gets it. */
  readonly process?: ProcessLife;
}

interface StoredAnswer extends KeptAnswer {
  readonly state: string;
  /** ISO 8601. */
  readonly at: string;
  /** Whose it is, as long as that process lives. */
  readonly process?: ProcessLife;
}

/** What records of things that wait for a person are made of. */
export interface RecordParts {
  readonly store: Store;
  readonly kept: SessionKept;
  readonly redactor: Redactor;
  /** With which a command uses this store. */
  readonly storeFlags: string;
}

/**
 * Keeps what waits for a decision in the store, with secrets masked, so that any process can show and decide it. In a store
 * that other processes use too, requests and answers outlive the process.
 */
export async function createApprovalRecords(
  { store, kept: open, redactor, storeFlags }: RecordParts,
  sessionId: string,
): Promise<ApprovalRecords> {
  const requests = open(approvalRequests);
  const answers = open(approvalAnswers);
  const process = await ownLifeIn(store);
  const bindings = new Map<string, RequestBinding>();
  const hold = ({ key, state }: RequestBinding, { decision, by, note }: KeptAnswer): StoredAnswer => {
    const at = new Date().toISOString();
    const value = {
      decision,
      by,
      state,
      at,
      process,
      ...(note !== undefined && { note: redactor.text(note) }),
    };
    answers.set(key, value);
    return value;
  };
  const kept: KeptRequests = {
    clientOf: (caller) => boundClient(caller, sessionId),
    async take({ key, state }) {
      const found = await answers.get(key);
      if (found === undefined || isOver(found.at) || found.state !== state) return undefined;
      if (found.process !== undefined && (await isAliveIn(store, found.process))) return undefined;
      const isTaken = await claim(store, sessionId, {
        requires: [answers.write(key, found)],
        variables: [answers.write(key, { ...found, process })],
      });
      return isTaken ? found : undefined;
    },
    async leave(request, binding) {
      for (const { record } of await listRecords(store))
        if (record.binding?.key === binding.key && record.binding.state === binding.state && isLeft(record))
          return { request: record, isNew: false };
      const requestedAt = nextTime();
      const record: ApprovalRecord = { ...request, id: newId("approval"), requestedAt };
      const value = { ...maskRequest(record, redactor), binding };
      await store.append(sessionId, { events: [], variables: [requests.write(record.id, value)] });
      return { request: record, isNew: true };
    },
    howToApprove: (id) => `toolwright approve call:${id} ${storeFlags}`,
    release: (key) => answers.set(key),
  };
  return {
    add(request, binding) {
      if (binding !== undefined) bindings.set(request.id, binding);
      const value = { ...maskRequest(request, redactor), process, ...(binding && { binding }) };
      requests.set(request.id, value);
    },
    remove(name, answer) {
      const binding = bindings.get(name);
      bindings.delete(name);
      requests.set(name);
      if (answer !== undefined && binding !== undefined && store.isShared) hold(binding, answer);
    },
    kept: store.isShared ? kept : undefined,
  };
}

/** What looks like a secret is not stored. Whoever decides elsewhere is told how much that is: it may be what acts. */
function maskRequest(request: ApprovalRequest, redactor: Redactor): ApprovalRequest {
  const masked = redactor.value(request) as ApprovalRequest;
  const [whole, shown] = [textOf(request.input), textOf(masked.input)];
  if (whole === shown) return masked;
  const marks = shown.split(redactedMark).length - whole.split(redactedMark).length;
  const hidden = whole.length - shown.length + marks * redactedMark.length;
  const { verdict } = masked;
  const reason = `${hidden} characters of it look like a secret and are not shown here; ${verdict.reason}`;
  const withheld = mayHideWhatActs(whole, shown) && { withheld: true as const };
  return { ...masked, verdict: { ...verdict, reason }, ...withheld };
}

function textOf(input: unknown): string {
  try {
    return JSON.stringify(input) ?? "";
  } catch {
    // Code may pass anything; what is no JSON cannot be stored either.
    return "";
  }
}

/** Removes what is too old to be asked or answered again, and what nobody could ask again. */
export async function removeLostApprovals(kept: SessionKept): Promise<void> {
  await kept(approvalRequests).tidy(
    ({ binding, requestedAt }) => binding === undefined || isOver(requestedAt),
  );
  await kept(approvalAnswers).tidy(({ at }) => isOver(at));
}

/** The calls of a session, and of its sub-agents, that wait for a decision, oldest first. */
export async function readApprovals(
  store: Pick<Store, "readVariables">,
  sessionId: string,
): Promise<readonly ApprovalRequest[]> {
  return (await readRecords(store, sessionId)).map(toRequest);
}

export interface WaitingCall {
  /** The session whose owner takes the decision: for a sub-agent, the one that it was spawned from. */
  readonly askedIn: string;
  readonly request: ApprovalRequest;
  /** Nobody waits for it: the answer is for whoever asks the same again. */
  readonly isLeft: boolean;
  /** Absent for what nobody else could ask. */
  readonly workspace?: string;
}

/** Every call that waits for a decision, in whichever process, and those whose process does not wait any more. */
export async function listWaiting(store: Store): Promise<readonly WaitingCall[]> {
  const waiting: WaitingCall[] = [];
  for (const { askedIn, record } of await listRecords(store)) {
    const { process, binding } = record;
    const isLeft = process === undefined || !(await isAliveIn(store, process));
    if (isLeft && binding === undefined) continue;
    waiting.push({
      askedIn,
      request: toRequest(record),
      isLeft,
      ...(binding && { workspace: binding.workspace }),
    });
  }
  return waiting;
}

/** Answers a request that nobody waits for. False if it was answered before, or somebody waits for it again. */
export async function answerLeft(
  store: Store,
  { askedIn, request }: Pick<WaitingCall, "askedIn" | "request">,
  answer: ApprovalDecision & { readonly by: string },
): Promise<boolean> {
  const requests = keptIn(store, approvalRequests, askedIn);
  const record = await requests.get(request.id);
  if (record?.binding === undefined || isOver(record.requestedAt)) return false;
  const { key, state } = record.binding;
  const { decision, by, note, lasts = "once" } = answer;
  const kept: StoredAnswer = {
    decision,
    by,
    state,
    at: new Date().toISOString(),
    ...(note !== undefined && { note }),
  };
  return claim(store, askedIn, {
    requires: [requests.write(request.id, record)],
    variables: [requests.write(request.id), keptPlace(approvalAnswers, askedIn).write(key, kept)],
    events: [
      {
        type: "approval-decision",
        callId: request.callId,
        approvalId: request.id,
        decision,
        decidedBy: by,
        ...(note !== undefined && { note }),
        ...(lasts !== "once" && { lasts, rules: request.rules ?? [] }),
      },
    ],
  });
}

interface FoundRecord {
  readonly askedIn: string;
  readonly record: ApprovalRecord;
}

async function listRecords(
  store: Pick<Store, "readVariables" | "listScopes">,
): Promise<readonly FoundRecord[]> {
  const found: FoundRecord[] = [];
  for (const askedIn of await findKeptOwners(store, approvalRequests))
    for (const record of await readRecords(store, askedIn)) found.push({ askedIn, record });
  return found;
}

async function readRecords(
  store: Pick<Store, "readVariables">,
  sessionId: string,
): Promise<readonly ApprovalRecord[]> {
  const records = await keptIn(store, approvalRequests, sessionId).list();
  return [...records.values()]
    .filter(({ requestedAt }) => !isOver(requestedAt))
    .sort((one, other) => (one.requestedAt < other.requestedAt ? -1 : 1));
}

function toRequest({ binding: _binding, process: _process, ...request }: ApprovalRecord): ApprovalRequest {
  return request;
}

function isLeft({ process }: ApprovalRecord): boolean {
  return process === undefined;
}

/** The sessions in which a call waits for a decision now. */
export async function findAsking(
  store: Pick<Store, "listScopes" | "readVariables" | "lives">,
): Promise<ReadonlySet<string>> {
  return sessionsWaiting(store, await listRecords(store));
}

/** The calls of a session that wait for a decision, by the id of the approval. */
export const approvalRequests: KeptKind<ApprovalRecord> = { scope: "approvals", isValue: isRecord };

/** Answers whose call has not begun, by what they are bound to. */
export const approvalAnswers: KeptKind<StoredAnswer> = {
  scope: "kept-answers",
  owner: "store",
  isValue: isAnswer,
};

function isRecord(value: unknown): value is ApprovalRecord {
  return isPlainObject(value) && typeof value.id === "string" && typeof value.requestedAt === "string";
}

function isAnswer(value: unknown): value is StoredAnswer {
  return (
    isPlainObject(value) &&
    (value.decision === "allow" || value.decision === "deny") &&
    typeof value.by === "string" &&
    typeof value.state === "string" &&
    typeof value.at === "string"
  );
}
