import { canonicalJson, isPlainObject } from "../../shared/json.ts";
import { sha256 } from "../../shared/sha256.ts";
import type { Question, QuestionReply, QuestionSource } from "../../tool/services/question.ts";
import type { SessionKept } from "../session/kept/kept.ts";
import { findKeptOwners, type KeptKind, keptIn, keptPlace } from "../store/kept/kept-kind.ts";
import { isAliveIn, ownLifeIn, type ProcessLife } from "../store/process-life.ts";
import type { Store } from "../store/store.ts";
import type { RecordParts } from "./approval-records.ts";
import { boundClient, claim, isOver, sessionsWaiting } from "./kept-record.ts";

/** A tool's question that waits for a person's answer. */
export interface QuestionRequest extends QuestionSource {
  readonly id: string;
  readonly question: Question;
  /** ISO 8601. */
  readonly requestedAt: string;
}

/** Where waiting questions are kept for other processes to see. */
export interface QuestionRecords {
  add(request: QuestionRequest): void;
  remove(id: string): void;
  /** Questions and answers that outlive the process that asked. Absent where no other process could answer. */
  readonly kept?: KeptQuestions | undefined;
}

export interface KeptQuestions {
  /** Takes the answer to the same question of the same client, if whoever asked is gone. Each is taken once. */
  take(question: Question, source: QuestionSource): Promise<QuestionReply | undefined>;
  /**
   * Leaves a question for a person; the answer is for whoever asks the same again. Returns its id, which is another one if
   * the same was left before.
   */
  leave(request: QuestionRequest): Promise<string>;
  /** The command that answers a question. */
  howToAnswer(id: string): string;
}

/** A question as it is stored. */
interface QuestionRecord extends QuestionRequest {
  /** The same for the same question of the same client in the same workspace. */
  readonly key: string;
  /** Who waits for the answer. Absent if nobody does. */
  readonly process?: ProcessLife;
}

interface StoredReply {
  readonly reply: QuestionReply;
  /** ISO 8601. */
  readonly at: string;
}

/** Keeps the questions that wait for an answer in the store, with secrets masked, so that any process can show and answer them. */
export async function createQuestionRecords(
  { store, kept: open, redactor, storeFlags }: RecordParts,
  { sessionId, workspace }: { readonly sessionId: string; readonly workspace: string },
): Promise<QuestionRecords> {
  const questions = open(keptQuestions);
  const replies = open(keptReplies);
  const process = await ownLifeIn(store);
  const keyOf = ({ timeoutMs: _wait, ...question }: Question, { caller }: QuestionSource) =>
    sha256(canonicalJson([workspace, boundClient(caller, sessionId), question]));
  const recordOf = (request: QuestionRequest): QuestionRecord => ({
    ...(redactor.value(request) as QuestionRequest),
    key: keyOf(request.question, request),
  });
  const kept: KeptQuestions = {
    async take(question, source) {
      const key = keyOf(question, source);
      const found = await replies.get(key);
      if (found === undefined || isOver(found.at)) return undefined;
      const isTaken = await claim(store, sessionId, {
        requires: [replies.write(key, found)],
        variables: [replies.write(key)],
      });
      return isTaken ? found.reply : undefined;
    },
    async leave(request) {
      const value = recordOf(request);
      for (const { record } of await listRecords(store))
        if (record.key === value.key && record.process === undefined) return record.id;
      await store.append(sessionId, { events: [], variables: [questions.write(request.id, value)] });
      return request.id;
    },
    howToAnswer: (id) => `toolwright answer question:${id} ANSWER ${storeFlags}`,
  };
  return {
    add: (request) => questions.set(request.id, { ...recordOf(request), process }),
    remove: (id) => questions.set(id),
    kept: store.isShared ? kept : undefined,
  };
}

/** Removes questions and answers that are too old to be of use. */
export async function removeLostQuestions(kept: SessionKept): Promise<void> {
  await kept(keptQuestions).tidy(({ requestedAt }) => isOver(requestedAt));
  await kept(keptReplies).tidy(({ at }) => isOver(at));
}

export interface WaitingQuestion {
  /** The session whose owner takes the answer. */
  readonly askedIn: string;
  readonly request: QuestionRequest;
  /** Nobody waits for it: the answer is for whoever asks the same again. */
  readonly isLeft: boolean;
}

/** Every question that waits for an answer, in whichever process, oldest first within a session. */
export async function listQuestions(store: Store): Promise<readonly WaitingQuestion[]> {
  const waiting: WaitingQuestion[] = [];
  for (const { askedIn, record } of await listRecords(store)) {
    const { process, key: _key, ...request } = record;
    const isLeft = process === undefined || !(await isAliveIn(store, process));
    waiting.push({ askedIn, request, isLeft });
  }
  return waiting;
}

/** Answers a question that nobody waits for. False if it was answered before. */
export async function answerLeftQuestion(
  store: Store,
  { askedIn, request }: Pick<WaitingQuestion, "askedIn" | "request">,
  reply: QuestionReply,
): Promise<boolean> {
  const questions = keptIn(store, keptQuestions, askedIn);
  const record = await questions.get(request.id);
  if (record === undefined || isOver(record.requestedAt)) return false;
  const kept: StoredReply = { reply, at: new Date().toISOString() };
  return claim(store, askedIn, {
    requires: [questions.write(request.id, record)],
    variables: [questions.write(request.id), keptPlace(keptReplies, askedIn).write(record.key, kept)],
  });
}

async function listRecords(
  store: Pick<Store, "readVariables" | "listScopes">,
): Promise<readonly { readonly askedIn: string; readonly record: QuestionRecord }[]> {
  const found: { askedIn: string; record: QuestionRecord }[] = [];
  for (const askedIn of await findKeptOwners(store, keptQuestions))
    for (const record of (await keptIn(store, keptQuestions, askedIn).list()).values())
      if (!isOver(record.requestedAt)) found.push({ askedIn, record });
  return found.sort((one, other) => (one.record.requestedAt < other.record.requestedAt ? -1 : 1));
}

/** The sessions in which a question waits for an answer now. */
export async function findQuestioning(
  store: Pick<Store, "listScopes" | "readVariables" | "lives">,
): Promise<ReadonlySet<string>> {
  return sessionsWaiting(store, await listRecords(store));
}

/** The questions of a session that wait for an answer, by their ids. */
export const keptQuestions: KeptKind<QuestionRecord> = { scope: "questions", isValue: isRecord };

/** Answers that are not used yet, by what their questions are bound to. */
export const keptReplies: KeptKind<StoredReply> = { scope: "kept-replies", owner: "store", isValue: isReply };

/** It comes from a store, which another version may have written to. */
function isRecord(value: unknown): value is QuestionRecord {
  return (
    isPlainObject(value) &&
    typeof value.id === "string" &&
    typeof value.key === "string" &&
    typeof value.sessionId === "string" &&
    typeof value.requestedAt === "string" &&
    isPlainObject(value.caller) &&
    isPlainObject(value.question) &&
    typeof value.question.text === "string"
  );
}

function isReply(value: unknown): value is StoredReply {
  return (
    isPlainObject(value) &&
    typeof value.at === "string" &&
    isPlainObject(value.reply) &&
    typeof value.reply.by === "string" &&
    ("answer" in value.reply || value.reply.declined === true)
  );
}
