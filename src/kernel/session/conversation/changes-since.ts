import { type LoggedEvent, type ReceiptBody, turnedBy, turningCalls } from "../../events/index.ts";

/** The changes that a session and its sub-agents have made since a point of its log. */
export type ChangesSince = Awaited<ReturnType<typeof findChangesSince>>;

export async function findChangesSince(events: AsyncIterable<LoggedEvent>, since: number) {
  const ended: { readonly at: string; readonly receipt: ReceiptBody }[] = [];
  const turnsBefore = new Map<string, string>();
  const turnedSince = new Set<string>();
  // A sub-agent with a worktree has changed files elsewhere, and its work is on its branch.
  const elsewhere = new Set<string>();
  const note = (event: LoggedEvent, isSince: boolean): void => {
    if (event.type === "subagent-start" && event.branch !== undefined) elsewhere.add(event.subagentId);
    if (event.type === "subagent-event" && !elsewhere.has(event.subagentId)) note(event.event, isSince);
    if (event.type !== "call-end") return;
    const { receipt } = event;
    if (isSince) ended.push({ at: event.at, receipt });
    if (!turningCalls.includes(receipt.tool) || receipt.status === "denied") return;
    for (const callId of turnedBy(receipt.input)) {
      if (isSince) turnedSince.add(callId);
      else turnsBefore.set(callId, receipt.callId);
    }
  };
  for await (const event of events) note(event, event.sequence >= since);

  // Events of sub-agents are forwarded a moment later than they happened.
  const receipts = ended
    .toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
    .map(({ receipt }) => receipt)
    .filter(({ isDryRun, status }) => !isDryRun && status !== "denied");
  const own = new Set(receipts.map(({ callId }) => callId));
  const turnedEarlier = [...turnedSince].filter((callId) => !own.has(callId));
  return {
    /** Calls that can be undone, in the order in which they ended; undos among them are calls like others. */
    undoable: receipts.filter(({ undo }) => undo !== undefined),
    /** Calls whose changes are not recorded, such as commands. */
    others: receipts.filter(
      ({ undo, effects }) => undo === undefined && effects.runs.length + effects.writes.length > 0,
    ),
    /** For calls from before that were undone or redone since: the call that had turned them last until then, if any. */
    earlierTurns: new Map(turnedEarlier.map((callId) => [callId, turnsBefore.get(callId)])),
  };
}
