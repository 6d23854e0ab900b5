import type { Command } from "../command.ts";
import { performCall } from "./perform-call.ts";

/** `undo` and `redo`: the session is found by the call's id, so `--session` is not needed. */
export function createUndoCommand(direction: "undo" | "redo"): Command {
  return {
    usage: "<callId>",
    arguments: [1, 1],
    example: "call_mwhh8ll2baa401025333",
    run: (invocation) =>
      performCall(invocation, async (session, { runtime, options, onApproval }) => {
        const [callId = ""] = invocation.arguments;
        const [receipt] = await runtime.receipts({ callId });
        if (receipt === undefined || receipt.sessionId === session.id)
          return session[direction](callId, options);
        // It may be open in another process, which then does it.
        const owner = await runtime.remoteSession(receipt.sessionId);
        return owner[direction](callId, { ...options, ...(onApproval && { onApproval }) });
      }),
  };
}
