import type { Command } from "../command.ts";
import { performCall } from "./perform-call.ts";

/** Makes the commands `undo` and `redo`. The call's id tells the session, so `--session` is not needed. */
export function createUndoCommand(direction: "undo" | "redo"): Command {
  return {
    usage: "<callId>",
    arguments: [1, 1],
    example: "call_mwhh8ll2baa401025333",
    run: (invocation) =>
      performCall(invocation, async (session, { runtime, options }) => {
        const [callId = ""] = invocation.arguments;
        const [receipt] = await runtime.receipts({ callId });
        // The session may be open in another process, which then undoes the call.
        const isElsewhere = receipt !== undefined && receipt.sessionId !== session.id;
        const owner = isElsewhere ? await runtime.remoteSession(receipt.sessionId) : session;
        return owner[direction](callId, options);
      }),
  };
}
