import type { ReceiptBody } from "../../../kernel/events/receipt.ts";
import type { LoggedEvent } from "../../../kernel/events/session-event.ts";
import { turnedBy, turningCalls } from "../../../kernel/events/turning-calls.ts";
import type { Session } from "../../../kernel/runtime/session.ts";
import type { Runtime } from "../../../open-runtime.ts";
import { describeStart } from "../display/describe-call.ts";

/** The calls of one run that changed something, newest first. */
export interface RunChanges {
  readonly undoable: readonly ChangingCall[];
  /** Calls whose changes are not recorded, such as commands. */
  readonly others: readonly ChangingCall[];
}

interface ChangingCall {
  readonly sessionId: string;
  readonly callId: string;
  readonly about: string;
}

/** The changes of the latest run that is not undone yet, sub-agents included. */
export async function findRunChanges(session: Session, workspace: string): Promise<RunChanges> {
  const until = await session.bookmark();
  const ending = new AbortController();
  let runs: ChangingCall[][] = [];
  let others: ChangingCall[] = [];
  const undoable = new Set<string>();
  const undone = new Set<string>();
  const note = (event: LoggedEvent): void => {
    if (event.type === "subagent-event") note(event.event);
    if (event.type !== "call-end") return;
    const { receipt, callId } = event;
    if (turningCalls.includes(receipt.tool)) noteTurn(receipt);
    else noteCall(receipt, callId);
  };
  const noteCall = (receipt: ReceiptBody, callId: string): void => {
    if (receipt.isDryRun || receipt.status === "denied") return;
    const call = { sessionId: receipt.sessionId, callId, about: describeStart(receipt, workspace) };
    // Undoing a call that was made again after a crash undoes both attempts.
    if (undoable.has(callId)) return;
    if (receipt.undo !== undefined) {
      undoable.add(callId);
      runs.at(-1)?.push(call);
    } else if (receipt.effects.runs.length > 0 || receipt.effects.writes.length > 0) others.push(call);
  };
  const noteTurn = ({ tool, status, input }: { tool: string; status: string; input: unknown }): void => {
    if (status !== "done") return;
    for (const callId of turnedBy(input)) {
      if (tool === "redo") undone.delete(callId);
      else undone.add(callId);
    }
  };
  if (until > 0)
    for await (const event of session.events({ signal: ending.signal })) {
      if (event.type === "agent-start") {
        runs = [...runs.slice(-maxRuns), []];
        others = [];
      }
      note(event);
      if (event.sequence >= until) break;
    }
  const left = runs.map((run) => run.filter(({ callId }) => !undone.has(callId)));
  const latest = left.findLastIndex((run) => run.length > 0);
  return {
    undoable: left[latest]?.toReversed() ?? [],
    others: latest === runs.length - 1 ? others.toReversed() : [],
  };
}

const maxRuns = 100;

/** Undoes the changes one after the other, and stops at the first that fails. */
export async function undoChanges(
  { session, runtime }: { session: Session; runtime: Pick<Runtime, "remoteSession"> },
  { undoable }: RunChanges,
  tell: (text: string, tone?: "problem") => void,
): Promise<void> {
  for (const { sessionId, callId, about } of undoable) {
    const owner = sessionId === session.id ? session : await runtime.remoteSession(sessionId);
    const { status, error } = await owner.undo(callId);
    if (status !== "done") return tell(`not undone: ${about}: ${error?.message ?? status}`, "problem");
    tell(`undone: ${about}`);
  }
}
