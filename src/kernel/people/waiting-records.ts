import type { Redactor } from "../../shared/secrets/redact.ts";
import type { Caller } from "../../tool/caller.ts";
import {
  claim,
  type Entry,
  findKeptOwners,
  isAliveIn,
  type KeptKind,
  keptIn,
  keptPlace,
  ownLifeIn,
  type ProcessLife,
  type SessionKept,
  type Store,
} from "../store/index.ts";

/** A request to a person. */
export interface PersonRequest {
  readonly id: string;
  readonly sessionId: string;
  /** ISO 8601. */
  readonly requestedAt: string;
}

/** How the store keeps the requests of a kind. */
interface StoredRequests<Request extends PersonRequest> {
  /** The requests of a session, by their ids. */
  readonly requests: KeptKind<Request & RequestMarks>;
}

/** How the store keeps the requests of a kind, and the answers to them. */
export interface RecordKind<Request extends PersonRequest, Answer> extends StoredRequests<Request> {
  /** Answers that no process has used yet, by the keys that their requests are bound to. */
  readonly answers: KeptKind<AnswerMarks>;
  /** The process that takes an answer holds it until it is released: if that process dies before, another can take it. */
  readonly isHeld: boolean;
  /** The command that answers a request, without the flags for the store. */
  command(id: string): string;
  mask(request: Request, redactor: Redactor): Request;
  /** The fields of an answer as they are stored. */
  store(answer: Answer, mask: (text: string) => string): object;
  read(stored: AnswerMarks): Answer;
  /** Events about an answer that is given while no process waits for it. */
  eventsOf?(request: Request, answer: Answer): Entry["events"];
}

/** Fields that are stored beside a request. */
export interface RequestMarks {
  /** Absent if no client could ask the same again. */
  readonly binding?: RequestBinding;
  /** For a question: the key that it is bound to. */
  readonly key?: string;
  /** The process that waits for the answer. Absent if none does: the client that asks the same again gets it. */
  readonly process?: ProcessLife;
}

/** Fields that are stored beside an answer. */
export interface AnswerMarks {
  /** ISO 8601. */
  readonly at: string;
  readonly state?: string | undefined;
  /** The process that holds it, as long as that lives. */
  readonly process?: ProcessLife;
}

/**
 * Binds a request to its client and to the state of the files. Two requests with the same binding are the same request.
 */
export interface RequestBinding {
  readonly key: string;
  /** For a call: the state of the files that it would touch. */
  readonly state?: string;
  /** For a call: the workspace to whose rules an answer for good would be added. */
  readonly workspace?: string;
}

/** Where the requests of a session are kept for other processes to see. */
export interface WaitingRecords<Request, Answer> {
  add(request: Request, binding?: RequestBinding): void;
  /** Removes a request. Its answer is held in case this process dies before it has used the answer. */
  remove(id: string, answer?: Answer): void;
  /** Absent where no other process could answer. */
  readonly kept?: KeptRequests<Request, Answer> | undefined;
}

/** Requests and answers that outlive the process that asked. */
export interface KeptRequests<Request, Answer> {
  /** Identifies the client of a caller, so that no client can use the answer to another one's request. */
  clientOf(caller: Caller): readonly string[];
  /** Takes the answer to the same request, if the process that asked is gone. Each answer is taken once. */
  take(binding: RequestBinding): Promise<Answer | undefined>;
  /**
   * Leaves a request for a person; the answer is for the client that asks the same again. Returns its id, which is another
   * one if the same request was left before and is not answered.
   */
  leave(request: Request, binding: RequestBinding): Promise<string>;
  /** The command that answers a request. */
  howToAnswer(id: string): string;
  /** Removes a held answer that has been used, or never will be. Written with the next event. */
  release(key: string): void;
}

/** The parts of a session that its records of requests need. */
export interface RecordParts {
  readonly store: Store;
  readonly kept: SessionKept;
  readonly redactor: Redactor;
  /** The flags with which a command uses this store. */
  readonly storeFlags: string;
}

/**
 * Keeps the requests of a session in the store, with secrets masked, so that any process can show and answer them. In a
 * store that other processes use too, requests and answers outlive the process.
 */
export async function createWaitingRecords<Request extends PersonRequest, Answer>(
  kind: RecordKind<Request, Answer>,
  { store, kept: open, redactor, storeFlags }: RecordParts,
  sessionId: string,
): Promise<WaitingRecords<Request, Answer>> {
  const requests = open(kind.requests);
  const answers = open(kind.answers);
  const process = await ownLifeIn(store);
  const bindings = new Map<string, RequestBinding>();
  const recordOf = (request: Request, binding?: RequestBinding): Request & RequestMarks => {
    const masked = kind.mask(request, redactor);
    if (binding === undefined) return masked;
    return binding.state === undefined ? { ...masked, key: binding.key } : { ...masked, binding };
  };
  const kept: KeptRequests<Request, Answer> = {
    clientOf: (caller) => boundClient(caller, sessionId),
    async take({ key, state }) {
      const found = await answers.get(key);
      if (found === undefined || isOver(found.at) || found.state !== state) return undefined;
      if (found.process !== undefined && (await isAliveIn(store, found.process))) return undefined;
      const isTaken = await claim(store, sessionId, {
        requires: [answers.write(key, found)],
        variables: [answers.write(key, kind.isHeld ? { ...found, process } : undefined)],
      });
      return isTaken ? kind.read(found) : undefined;
    },
    async leave(request, binding) {
      for (const { record } of await readAll(kind, store)) {
        const { key, state } = bindingOf(record) ?? {};
        if (key === binding.key && state === binding.state && record.process === undefined) return record.id;
      }
      const value = recordOf(request, binding);
      await store.append(sessionId, { events: [], variables: [requests.write(request.id, value)] });
      return request.id;
    },
    howToAnswer: (id) => `toolwright ${kind.command(id)} ${storeFlags}`,
    release: (key) => answers.set(key),
  };
  return {
    add(request, binding) {
      if (binding !== undefined) bindings.set(request.id, binding);
      requests.set(request.id, { ...recordOf(request, binding), process });
    },
    remove(name, answer) {
      const binding = bindings.get(name);
      bindings.delete(name);
      requests.set(name);
      if (!kind.isHeld || answer === undefined || binding === undefined || !store.isShared) return;
      answers.set(binding.key, { ...storedAnswer(kind, answer, binding, redactor.text), process });
    },
    kept: store.isShared ? kept : undefined,
  };
}

/** Removes requests that are too old to be answered, or that no client could ask again, and answers that are too old. */
export async function removeLost<Request extends PersonRequest, Answer>(
  { requests, answers }: RecordKind<Request, Answer>,
  kept: SessionKept,
): Promise<void> {
  await kept(requests).tidy((record) => bindingOf(record) === undefined || isOver(record.requestedAt));
  await kept(answers).tidy(({ at }) => isOver(at));
}

/** The requests of a session, and the calls of its sub-agents, that wait for an answer, oldest first. */
export async function readRequests<Request extends PersonRequest>(
  kind: StoredRequests<Request>,
  store: Pick<Store, "readVariables">,
  sessionId: string,
): Promise<readonly Request[]> {
  return (await readRecords(kind, store, sessionId)).map(toRequest);
}

/** A request that waits for an answer, in whichever process, or whose process does not wait any more. */
export interface WaitingRequest<Request> {
  /** The session whose owner takes the answer: for the call of a sub-agent, the one that it was spawned from. */
  readonly askedIn: string;
  readonly request: Request;
  /** No process waits for it: the answer is for the client that asks the same again. */
  readonly isLeft: boolean;
  readonly binding?: RequestBinding | undefined;
}

/** Every request of a kind, oldest first. */
export async function listRequests<Request extends PersonRequest>(
  kind: StoredRequests<Request>,
  store: Pick<Store, "listScopes" | "readVariables" | "lives">,
): Promise<readonly WaitingRequest<Request>[]> {
  const waiting: WaitingRequest<Request>[] = [];
  for (const { askedIn, record } of await readAll(kind, store)) {
    const { process } = record;
    const binding = bindingOf(record);
    const isLeft = process === undefined || !(await isAliveIn(store, process));
    if (!isLeft || binding !== undefined)
      waiting.push({ askedIn, request: toRequest(record), isLeft, binding });
  }
  return waiting;
}

/** Answers a request that no process waits for. False if it was answered before, or a process waits for it again. */
export async function answerLeft<Request extends PersonRequest, Answer>(
  kind: RecordKind<Request, Answer>,
  store: Store,
  { askedIn, request, answer }: Pick<WaitingRequest<Request>, "askedIn" | "request"> & { answer: Answer },
): Promise<boolean> {
  const requests = keptIn(store, kind.requests, askedIn);
  const record = await requests.get(request.id);
  const binding = record && bindingOf(record);
  if (binding === undefined || isOver(request.requestedAt)) return false;
  const kept = storedAnswer(kind, answer, binding, (text) => text);
  return claim(store, askedIn, {
    requires: [requests.write(request.id, record)],
    variables: [requests.write(request.id), keptPlace(kind.answers, askedIn).write(binding.key, kept)],
    events: kind.eventsOf?.(request, answer) ?? [],
  });
}

/** The sessions with a request whose process waits for the answer now. */
export async function findAsking<Request extends PersonRequest>(
  kind: StoredRequests<Request>,
  store: Pick<Store, "listScopes" | "readVariables" | "lives">,
): Promise<readonly string[]> {
  const waiting = await listRequests(kind, store);
  return waiting.filter(({ isLeft }) => !isLeft).map(({ askedIn }) => askedIn);
}

/**
 * Identifies the client of a caller: an agent by the conversation that it works in, any other caller by its name and how it
 * came. A sub-agent counts as the client that it works for, because the next sub-agent for the same work has another name.
 */
export function boundClient(caller: Caller, sessionId: string): readonly string[] {
  const { kind, name, transport, token, onBehalfOf } = caller;
  if (onBehalfOf !== undefined) return ["sub-agent", ...boundClient(onBehalfOf, sessionId)];
  return kind === "agent" ? [kind, name, sessionId] : [kind, name, transport ?? "", token ?? ""];
}

/** A day: a request that has no answer by then was forgotten, and so was an answer that was not used. */
export const maxWaitMs = 24 * 60 * 60 * 1000;

async function readAll<Request extends PersonRequest>(
  kind: StoredRequests<Request>,
  store: Pick<Store, "readVariables" | "listScopes">,
): Promise<readonly { readonly askedIn: string; readonly record: Request & RequestMarks }[]> {
  const found: { askedIn: string; record: Request & RequestMarks }[] = [];
  for (const askedIn of await findKeptOwners(store, kind.requests))
    for (const record of await readRecords(kind, store, askedIn)) found.push({ askedIn, record });
  return found.sort((one, other) => byAge(one.record, other.record));
}

async function readRecords<Request extends PersonRequest>(
  { requests }: StoredRequests<Request>,
  store: Pick<Store, "readVariables">,
  sessionId: string,
): Promise<readonly (Request & RequestMarks)[]> {
  const records = [...(await keptIn(store, requests, sessionId).list()).values()];
  return records.filter(({ requestedAt }) => !isOver(requestedAt)).sort(byAge);
}

function byAge(one: PersonRequest, other: PersonRequest): number {
  return one.requestedAt < other.requestedAt ? -1 : 1;
}

function toRequest<Request extends PersonRequest>(record: Request & RequestMarks): Request {
  const { binding: _binding, key: _key, process: _process, ...request } = record;
  return request as unknown as Request;
}

function bindingOf({ binding, key }: RequestMarks): RequestBinding | undefined {
  return binding ?? (key === undefined ? undefined : { key });
}

function storedAnswer<Answer>(
  kind: Pick<RecordKind<never, Answer>, "store">,
  answer: Answer,
  { state }: RequestBinding,
  mask: (text: string) => string,
): AnswerMarks {
  const at = new Date().toISOString();
  return { ...kind.store(answer, mask), state, at };
}

function isOver(at: string): boolean {
  return !(Date.now() - Date.parse(at) < maxWaitMs);
}
