import { escapeLine } from "../../shared/text/escape-controls.ts";
import type { Caller } from "../../tool/caller.ts";
import type { QuestionReply } from "../../tool/services/question.ts";
import type { ToolError } from "../../tool/tool-error.ts";
import type { Grants } from "../policy/index.ts";
import type { Store } from "../store/index.ts";
import type { ApprovalDecision, ApprovalQueue } from "./approvals.ts";
import type { QuestionQueue } from "./questions.ts";
import type { Said, WaitingEntry, WaitingKind } from "./waiting-list.ts";
import {
  answerLeft,
  listRequests,
  type PersonRequest,
  type RecordKind,
  type WaitingRequest,
} from "./waiting-records.ts";

/** A kind of requests of calls: how they are kept, shown and answered. */
export interface RequestKind<Request extends PersonRequest, Answer> extends RecordKind<Request, Answer> {
  readonly name: "call" | "question";
  readonly takes: WaitingKind["takes"];
  /** Added to the title of a request that no process waits for. */
  readonly leftNote: string;
  show(request: Request, columns: number | undefined): Omit<WaitingEntry, "id" | "title">;
  /** Makes an answer of the person's words; throws if they do not fit the request. */
  accept(said: Said, found: WaitingRequest<Request>, parts: RequestListParts): Answer;
  message(id: string, answer: Answer): PersonMessage;
  /** Called when a request that no process waits for has its answer. */
  onAnswered?(request: Request, answer: Answer, parts: RequestListParts): Promise<void>;
  missing(id: string): ToolError;
}

export interface RequestListParts {
  readonly store: Store;
  /** The person, or the program that a person uses. */
  readonly caller: Pick<Caller, "name">;
  mask(text: string): string;
  readonly workspace: string;
  /** Stores rules among the user's own for the workspace. */
  readonly keepRules: Grants["keep"];
  /** Gives an answer to the process that has the session open. */
  tell(sessionId: string, message: PersonMessage): Promise<void>;
}

/** The requests of one kind that wait, in every session and process of a store. */
export function waitingRequests<Request extends PersonRequest, Answer>(
  kind: RequestKind<Request, Answer>,
  parts: RequestListParts,
): WaitingKind {
  const { store, tell } = parts;
  const { name } = kind;
  return {
    name,
    takes: kind.takes,
    async list({ columns } = {}) {
      return (await listRequests(kind, store)).map(({ request, isLeft }) => ({
        id: `${name}:${request.id}`,
        title: `${name} in session ${escapeLine(request.sessionId)}${isLeft ? `; ${kind.leftNote}` : ""}`,
        ...kind.show(request, columns),
      }));
    },
    async settle(id, said) {
      const found = (await listRequests(kind, store)).find(({ request }) => `${name}:${request.id}` === id);
      if (found === undefined) throw kind.missing(id);
      const { askedIn, request } = found;
      const answer = kind.accept(said, found, parts);
      if (!found.isLeft) return tell(askedIn, kind.message(request.id, answer));
      if (!(await answerLeft(kind, store, { askedIn, request, answer }))) throw kind.missing(id);
      await kind.onAnswered?.(request, answer, parts);
    },
  };
}

/** A person's answer on its way to the process that waits for it. Other versions send and read these forms. */
export type PersonMessage =
  | ({ readonly kind: "decision"; readonly approvalId: string } & ApprovalDecision)
  | { readonly kind: "reply"; readonly questionId: string; readonly reply: QuestionReply };

/** Gives a person's answer to the request that waits for it. Throws if it does not wait, or the answer does not fit. */
export function takeMessage(
  { approvals, questions }: { readonly approvals: ApprovalQueue; readonly questions: QuestionQueue },
  message: PersonMessage,
): void {
  if (message.kind === "decision") {
    const { kind: _kind, approvalId, decision, ...details } = message;
    approvals.decide(approvalId, decision, details);
  } else {
    const { questionId, reply } = message;
    if ("answer" in reply) questions.answer(questionId, reply.answer, { by: reply.by });
    else questions.decline(questionId, reply);
  }
}
