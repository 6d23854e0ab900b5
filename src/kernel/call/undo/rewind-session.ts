import { Deadline } from "../../../shared/deadline.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type FileChange, netChanges, type ReceiptBody, type SessionEvent } from "../../events/index.ts";
import type { ChangesSince } from "../../session/index.ts";
import type { CallRequest } from "../call.ts";
import type { CallHost } from "../call-host.ts";
import { revertByCall } from "./undo-call.ts";

/** What a rewind takes back, and what it cannot. */
export interface RewindPlan {
  /** Changes to take back, with canonical paths. */
  readonly changes: readonly FileChange[];
  readonly calls: readonly ReceiptBody[];
  /** Calls whose changes stay, because they are not recorded. */
  readonly others: readonly ReceiptBody[];
  readonly earlierTurns: ChangesSince["earlierTurns"];
}

/** Works out the changes since, as a whole: a change that a later call took back does not count. */
export async function planRewind(host: CallHost, since: ChangesSince): Promise<RewindPlan> {
  const changes: FileChange[] = [];
  const calls: ReceiptBody[] = [];
  const others = [...since.others];
  for (const receipt of since.undoable) {
    const record = await host.kept.undo.read(receipt.undo ?? "");
    if (record === undefined) throw gone(receipt);
    // A tool with its own undo may have changed more than files, and can only be undone by itself.
    if (record.own !== undefined) others.push(receipt);
    else {
      changes.push(...record.changes);
      calls.push(receipt);
    }
  }
  const { earlierTurns } = since;
  const net = netChanges(changes).map(({ path, is, was }) => ({ path, before: was, after: is }));
  return { changes: net, calls, others, earlierTurns };
}

function gone({ callId, tool }: ReceiptBody): ToolError {
  return new ToolError(
    "unavailable",
    `nothing was rewound: what ${tool} changed (${callId}) can no longer be undone, because the old content is not kept any more`,
    { hint: "Rewind to a later message, or rewind only the conversation." },
  );
}

/** Throws what would keep the files from being restored; changes nothing. */
export async function checkRewind(host: CallHost, { changes }: RewindPlan): Promise<void> {
  if (changes.length === 0) return;
  const deadline = new Deadline();
  try {
    await host.kept.undo.revert(changes, { id: "", deadline, isPreview: true, noteChange: () => {} });
  } finally {
    deadline.close();
  }
}

/**
 * Restores all the files or none, by one call, and writes the events together with its receipt. Without changes, only
 * the events are written.
 */
export async function rewindFiles(
  host: CallHost,
  { changes, calls, earlierTurns }: RewindPlan,
  { before, events, ...options }: RewindFilesOptions,
): Promise<void> {
  if (changes.length === 0) {
    if (events.length > 0) await host.log.append(events);
    return;
  }
  const { error, status } = await revertByCall(
    host,
    {
      name: "rewind",
      input: { before, calls: calls.map(({ callId }) => callId) },
      subject: `what was changed since message ${before}`,
      target: { record: { changes }, tools: [...new Set(calls.map(({ tool }) => tool))] },
      turn(by) {
        for (const { callId } of calls) host.kept.undo.turns.set(callId, by);
        for (const [callId, turn] of earlierTurns) host.kept.undo.turns.set(callId, turn);
      },
      events,
    },
    options,
  );
  if (error !== undefined) throw new ToolError(error.code, error.message, error);
  if (status !== "done") throw new ToolError("cancelled", "the files were not restored");
}

interface RewindFilesOptions extends Pick<CallRequest, "signal" | "caller" | "onApproval"> {
  /** Sequence number of the message. */
  readonly before: number;
  readonly events: readonly SessionEvent[];
}
