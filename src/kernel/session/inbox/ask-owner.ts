import { hostname } from "node:os";
import { createAlarm } from "../../../shared/alarm.ts";
import { isoTime } from "../../../shared/iso-time.ts";
import { newId } from "../../../shared/new-id.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import {
  claim,
  isAliveIn,
  keptIn,
  keptPlace,
  ownLifeIn,
  type SessionOwner,
  type Store,
} from "../../store/index.ts";
import {
  type InboxAnswer,
  type InboxItem,
  type InboxRequest,
  inboxAnswers,
  inboxItems,
} from "./inbox-item.ts";

/** `gone`: the owner has died or has closed the session, and has not answered the request. */
type Reply =
  | { readonly outcome: "answered"; readonly answer: InboxAnswer }
  | { readonly outcome: "gone" }
  | { readonly outcome: "silent" };

/** How long an owner may be silent before it counts as suspended, by the clock of the process that waits. */
const leaseMs = 10_000;

/**
 * Leaves a request for the owner of a session, and waits until it is done. Fails if the owner lives and does not answer.
 */
export async function askOwner(
  store: Store,
  sessionId: string,
  { owner, request }: { readonly owner: SessionOwner; readonly request: InboxRequest },
) {
  const isSilent = afterDeafness(store, sessionId, owner);
  const reply = await ask(store, sessionId, { owner, request, isSilent });
  if (reply.outcome === "silent") throw ownerSilent(sessionId, owner);
  return reply;
}

/** The process that has a session open; undefined if none does, or the one that did has died. */
export async function findLiveOwner(store: Pick<Store, "readLease" | "lives">, sessionId: string) {
  const owner = (await store.readLease(sessionId))?.owner;
  return owner !== undefined && (await isAliveIn(store, owner)) ? owner : undefined;
}

/** Whether the owner of a session answers a ping in time. */
export async function doesAnswer(store: Store, sessionId: string, owner: SessionOwner): Promise<boolean> {
  const startedMs = performance.now();
  const isSilent = () => performance.now() - startedMs >= leaseMs;
  const { outcome } = await ask(store, sessionId, { owner, request: { kind: "ping" }, isSilent });
  return outcome === "answered";
}

interface Question {
  readonly owner: SessionOwner;
  readonly request: InboxRequest;
  isSilent(): boolean | Promise<boolean>;
}

async function ask(store: Store, sessionId: string, question: Question): Promise<Reply> {
  const { owner, request } = question;
  const item = await leaveItem(store, sessionId, request);
  store.lives.wake(owner.life ?? "");
  const alarm = createAlarm();
  const stop = store.lives.onWake(alarm.ring);
  try {
    for (;;) {
      const answer = await takeAnswer(store, sessionId, item);
      if (answer !== undefined) return { outcome: "answered", answer };
      const outcome = await whyOver(store, sessionId, question);
      if (outcome !== undefined) {
        const late = await withdraw(store, sessionId, item);
        return late === undefined ? { outcome } : { outcome: "answered", answer: late };
      }
      await alarm.sleep(lookMs);
    }
  } finally {
    stop();
  }
}

const lookMs = 500;

/** Why there is no answer to wait for; undefined if the owner may still answer. */
async function whyOver(store: Store, sessionId: string, { owner, isSilent }: Question) {
  const current = (await store.readLease(sessionId))?.owner;
  if (current?.life !== owner.life || current?.since !== owner.since) return "gone";
  if (!(await isAliveIn(store, owner))) return "gone";
  return (await isSilent()) ? "silent" : undefined;
}

function ownerSilent(sessionId: string, owner: SessionOwner): ToolError {
  return new ToolError(
    "unavailable",
    `session ${sessionId} is open in another process (${describeOwner(owner)}), which has not answered for ${leaseMs / 1000} s; if it is suspended, resume it or end it. What you asked for is taken back, unless it had begun`,
    { hint: "If that process is suspended, resume it or end it; then try again.", retryable: true },
  );
}

/** Leaves a request for the process that owns the session now, or opens it next. */
export async function leaveItem(store: Store, sessionId: string, request: InboxRequest): Promise<InboxItem> {
  const item: InboxItem = { id: newId("item"), at: isoTime(), from: await ownLifeIn(store), request };
  const variables = [keptPlace(inboxItems, sessionId).write(item.id, item)];
  await store.append(sessionId, { events: [], variables });
  return item;
}

/** The answer, if there is one, which is removed from the store. */
async function takeAnswer(store: Store, sessionId: string, { id }: InboxItem) {
  const kept = keptIn(store, inboxAnswers, sessionId);
  const answer = await kept.get(id);
  if (answer !== undefined) await store.append(sessionId, { events: [], variables: [kept.write(id)] });
  return answer;
}

/** Takes the request back, or returns its answer, which has come after all. */
async function withdraw(store: Store, sessionId: string, item: InboxItem): Promise<InboxAnswer | undefined> {
  const { write } = keptPlace(inboxItems, sessionId);
  const change = { variables: [write(item.id)], requires: [write(item.id, item)] };
  return (await claim(store, sessionId, change)) ? undefined : takeAnswer(store, sessionId, item);
}

/** Pings the owner every now and then, because a request may take long. */
function afterDeafness(store: Store, sessionId: string, owner: SessionOwner): () => Promise<boolean> {
  let nextMs = performance.now() + firstLookMs;
  return async () => {
    if (performance.now() < nextMs) return false;
    const isThere = await doesAnswer(store, sessionId, owner);
    nextMs = performance.now() + leaseMs;
    return !isThere;
  };
}

const firstLookMs = 1000;

export function describeOwner({ pid, host }: SessionOwner): string {
  return host === hostname() ? `pid ${pid}` : `pid ${pid} on ${host}`;
}
