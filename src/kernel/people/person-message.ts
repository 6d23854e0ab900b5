import type { QuestionReply } from "../../tool/services/question.ts";
import type { ApprovalDecision, ApprovalQueue } from "./approvals.ts";
import type { QuestionQueue } from "./questions.ts";

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
