import { echoInput } from "./echo.mjs";

const hash = "0".repeat(64);
const callId = "call_01890000000000000000000000000000";
const caller = { kind: "code", name: "toolwright" };

/** The events of one call as the journal writes them. */
export const startEvent = {
  type: "call-start",
  callId,
  tool: "echo",
  input: echoInput,
  inputHash: hash,
  caller,
};

export const endEvent = {
  type: "call-end",
  callId,
  receipt: {
    callId,
    sessionId: "bench",
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 0.012,
    caller,
    tool: "echo",
    input: echoInput,
    inputHash: hash,
    verdict: {
      decision: "allow",
      reason: "the rule echo allows it",
      decidedBy: "rule echo",
      permissionClass: "execute",
    },
    effects: { reads: [], writes: [], runs: [], hosts: [], opaque: true },
    status: "done",
    resultHash: hash,
  },
  text: echoInput.text,
};
