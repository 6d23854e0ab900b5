import type { Redactor } from "../../../shared/secrets/redact.ts";
import type { ApprovalRequest, QuestionRequest } from "../../people/index.ts";
import { nameOf, type ResolvedCall } from "../call.ts";
import { tellHooks } from "../hooks/event-hooks.ts";
import type { EventHook } from "../hooks/hooks.ts";
import { maskCaller, maskVerdict, recordInput } from "../journal.ts";

/** Tells the hooks that a call waits for a person. Nothing waits for them, and what goes wrong in them changes nothing. */
export function notifyOfCall(
  call: ResolvedCall,
  request: ApprovalRequest,
  { isLeft }: { isLeft: boolean },
): void {
  const { stages, redactor, people } = call.host;
  const { event } = stages.hooks();
  if (event.length === 0) return;
  const { id, sessionId, verdict } = request;
  const command = people.approvals.kept?.howToAnswer(id);
  const how = isLeft && command !== undefined ? `. Approve it with: ${command}` : "";
  void tellHooks(event, {
    event: "Notification",
    sessionId,
    message: `${nameOf(call)} needs approval: ${redactor.text(verdict.reason)}${how}`,
    waiting: {
      id: `call:${id}`,
      ...(command !== undefined && { command }),
      // With long texts cut, as in the log.
      call: {
        ...request,
        input: recordInput(call).input,
        verdict: maskVerdict(call, verdict),
        caller: maskCaller(call),
      },
    },
  });
}

/** The same for a question of a tool. */
export function notifyOfQuestion(
  hooks: readonly EventHook[],
  request: QuestionRequest,
  { redactor, command }: { redactor: Redactor; command: string | undefined },
): void {
  if (hooks.length === 0) return;
  const question = redactor.value(request) as QuestionRequest;
  const how = command === undefined ? "" : `. Answer it with: ${command}`;
  void tellHooks(hooks, {
    event: "Notification",
    sessionId: request.sessionId,
    message: `A tool asks: ${question.question.text}${how}`,
    waiting: { id: `question:${request.id}`, ...(command !== undefined && { command }), question },
  });
}
