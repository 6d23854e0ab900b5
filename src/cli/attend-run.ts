import type { Session } from "../open-session.ts";
import type { ApprovalDecision, ApprovalHandler, ApprovalRequest } from "../runtime/permissions/approvals.ts";
import { formatApproval } from "../runtime/permissions/format-approval.ts";
import type { CallRequest } from "../runtime/pipeline/call.ts";
import { createLock } from "../shared/lock.ts";
import { askQuestion } from "./ask-question.ts";
import { currentPerson } from "./current-person.ts";
import { formatDiff } from "./describe-call.ts";
import type { LiveLine } from "./live-line.ts";
import type { Output } from "./output.ts";
import { readAnswer } from "./read-answer.ts";
import type { TypedLines } from "./typed-lines.ts";

/** How the person at the terminal is asked in the middle of an agent's work. */
export interface Attendant {
  readonly onApproval: ApprovalHandler;
  readonly onQuestion: NonNullable<CallRequest["onQuestion"]>;
  /** What to do next; undefined when the person leaves. */
  askMessage(): Promise<string | undefined>;
}

export function createAttendant({
  session,
  output,
  live,
  typed,
  onLeave,
}: {
  session: Session;
  output: Output;
  live: LiveLine;
  typed: TypedLines;
  /** The person pressed Ctrl-C instead of answering. */
  onLeave: () => void;
}): Attendant {
  // Several calls may ask at the same time, and there is one terminal.
  const oneAtATime = createLock();
  const withTerminal = <Result>(work: () => Promise<Result>): Promise<Result> =>
    oneAtATime(async () => {
      live.hide();
      typed.pause();
      try {
        return await work();
      } finally {
        typed.resume();
        live.show();
      }
    });

  return {
    onApproval: (request, signal) =>
      withTerminal(async (): Promise<ApprovalDecision> => {
        const preview = await previewOf(session, request);
        await output.tell(formatApproval(request));
        for (const line of formatDiff(preview, output.style)) await output.tell(line);
        const answer = await readAnswer("Allow it? [y/N] ", signal);
        if (answer === undefined) onLeave();
        const isYes = /^(?:y|yes)$/i.test((answer ?? "").trim());
        return { decision: isYes ? "allow" : "deny", by: currentPerson().name };
      }),
    onQuestion: (question, signal) => withTerminal(() => askQuestion(question, signal)),
    askMessage: () =>
      withTerminal(async () => {
        const message = await readAnswer("What now? (empty to quit) ", new AbortController().signal);
        return message?.trim() === "" ? undefined : message;
      }),
  };
}

/** What exactly would change, where only files would; empty where that cannot be told. */
async function previewOf(session: Session, { tool, input, verdict }: ApprovalRequest): Promise<string> {
  const { writes, runs, hosts, opaque } = verdict.effects;
  if (writes.length === 0 || runs.length + hosts.length > 0 || opaque) return "";
  const { status, text } = await session.dryRun(tool, input);
  return status === "done" ? text : "";
}
