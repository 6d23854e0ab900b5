import type { Command } from "../command.ts";
import { performCall } from "./perform-call.ts";

/** `undo` and `redo`: the session is found by the call's id, so `--session` is not needed. */
export function createUndoCommand(direction: "undo" | "redo"): Command {
  return {
    usage: "<callId>",
    minArguments: 1,
    maxArguments: 1,
    flags: [],
    example: "call_mwhh8ll2baa401025333",
    run: (invocation) =>
      performCall(invocation, async (session, { runtime, options }) => {
        const [callId = ""] = invocation.arguments;
        const [receipt] = await runtime.receipts({ callId });
        const isElsewhere = receipt !== undefined && receipt.sessionId !== session.id;
        const { dialect } = invocation.flags;
        const named = { ...(dialect !== undefined && { dialect }) };
        const owner = isElsewhere ? await runtime.openSession({ id: receipt.sessionId, ...named }) : session;
        return owner[direction](callId, options);
      }),
  };
}
