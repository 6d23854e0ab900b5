import { expect, test } from "vitest";
import {
  pausingApprovals,
  pausingQuestions,
} from "../../../../src/capabilities/agents/sub-agents/waiting.ts";
import { createApprovals } from "../../../../src/kernel/people/approvals.ts";
import { noEffects } from "../../../../src/kernel/policy/verdict.ts";

const details = {
  callId: "call_1",
  sessionId: "session_1",
  caller: { kind: "agent", name: "agent" },
  tool: "file_write",
  input: {},
  verdict: {
    decision: "ask",
    reason: "",
    decidedBy: "mode",
    permissionClass: "write",
    effects: noEffects,
  },
} as const;
const { signal } = new AbortController();

/** Counts how often it was stopped. */
function createClock() {
  const clock = {
    pauses: 0,
    pause: () => {
      clock.pauses += 1;
    },
    resume: () => {
      clock.pauses -= 1;
    },
  };
  return clock;
}

test("a call's clock stands still from a request for approval to its answer, also with several at once", async () => {
  const clock = createClock();
  const approvals = pausingApprovals(createApprovals({ queue: true }), clock);
  expect(approvals.isAnswered).toBe(true);
  const first = approvals.request(details, { signal });
  const second = approvals.request(details, { signal });
  expect(clock.pauses).toBe(2);
  approvals.decide(first.id, "allow");
  expect(await first.decision).toMatchObject({ decision: "allow" });
  expect(clock.pauses).toBe(1);
  approvals.decide(second.id, "deny");
  await second.decision;
  expect(clock.pauses).toBe(0);
});

test("a request for approval that is taken back lets the call's clock go on, once", () => {
  const clock = createClock();
  const approvals = pausingApprovals(createApprovals({ queue: true }), clock);
  const { id } = approvals.request(details, { signal });
  approvals.withdraw(id);
  approvals.withdraw(id);
  expect(clock.pauses).toBe(0);
  expect(approvals.list()).toEqual([]);
});

test("a call's clock stands still while a person answers a question, and goes on also if asking fails", async () => {
  const clock = createClock();
  const seen: number[] = [];
  const ask = pausingQuestions(async ({ text }) => {
    seen.push(clock.pauses);
    if (text === "fail") throw new Error("nobody there");
    return "yes";
  }, clock);
  expect(await ask({ text: "well?" }, signal, details)).toBe("yes");
  await expect(ask({ text: "fail" }, signal, details)).rejects.toThrow("nobody there");
  expect(seen).toEqual([1, 1]);
  expect(clock.pauses).toBe(0);
});
