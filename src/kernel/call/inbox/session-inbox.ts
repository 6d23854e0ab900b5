import { canonicalJson } from "../../../shared/json.ts";
import { createLock } from "../../../shared/lock.ts";
import { type PersonMessage, type QuestionQueue, takeMessage } from "../../people/index.ts";
import { type InboxHandlers, type SessionTaint, sessionValues, type UndoItem } from "../../session/index.ts";
import { keptPlace } from "../../store/index.ts";
import type { CallResult } from "../call.ts";
import type { CallHost } from "../call-host.ts";
import { undoCall } from "../undo/undo-call.ts";

/** Does what other processes ask of the owner of a session. */
export function sessionInbox(
  host: CallHost,
  {
    taint,
    questions,
  }: {
    taint: Pick<SessionTaint, "clear">;
    questions: QuestionQueue;
  },
): InboxHandlers {
  const { approvals } = host.people;
  const { variables } = host.kept;
  const oneAtATime = createLock();
  const take = async (message: PersonMessage, finish: () => Promise<unknown>) => {
    takeMessage({ approvals, questions }, message);
    await finish();
  };
  return {
    async undo(request, finish) {
      await finish(await undoOnce(host, request));
    },
    async redo(request, finish) {
      await finish(await undoOnce(host, request));
    },
    variable: ({ name, value, expected }, finish) =>
      oneAtATime(async () => {
        const before = variableText(variables.get(name));
        if (expected !== undefined && expected !== before) return void (await finish({ isChanged: false }));
        // Until the variable is written, the process that asked for it may take it back and do it elsewhere.
        const change = keptPlace(sessionValues, host.session.id).write(name, value);
        if (!(await finish({ isChanged: true }, { variables: [change] }))) return;
        // What a tool has set meanwhile came later.
        const now = variables.get(name);
        variables.set(name, variableText(now) === before ? value : now);
      }),
    async cancel({ callId, by }, finish) {
      await finish(host.run.openCalls.cancel(new Error(`${by} cancelled it from another process`), callId));
    },
    async trust({ by }, finish) {
      await taint.clear(by);
      await finish();
    },
    decision: take,
    reply: take,
  };
}

/** If this process is killed before it has answered, its successor finds the receipt, and does nothing again. */
async function undoOnce(
  host: CallHost,
  { kind, callId, as, caller, canApprove }: UndoItem,
): Promise<CallResult> {
  const [receipt] = await host.kept.receipts({ callId: as });
  if (receipt === undefined) {
    // The answer comes as a separate item.
    const onApproval = () => new Promise<never>(() => {});
    return undoCall(host, { callId, direction: kind, id: as, caller, ...(canApprove && { onApproval }) });
  }
  const { status, code } = receipt;
  const text = `The ${kind} of ${callId} has ended before: ${status}.`;
  const error = code === undefined ? {} : { error: { code, message: text, retryable: false } };
  return { callId: as, status, text, content: [{ type: "text", text }], receipt, ...error };
}

/** Also of no value at all. */
export function variableText(value: unknown): string {
  return value === undefined ? "" : canonicalJson(value);
}
