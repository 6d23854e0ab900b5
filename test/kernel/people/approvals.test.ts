import { expect, test, vi } from "vitest";
import { type ApprovalRequest, createApprovals } from "../../../src/kernel/people/approvals.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { stopClock } from "../../support/stop-clock.ts";

const waiting = { callId: "call" } as Omit<ApprovalRequest, "id" | "requestedAt">;

test("a call without a decision in a day is denied, and says so", async () => {
  stopClock();
  const removed: string[] = [];
  const records = { add: () => {}, remove: (id: string) => void removed.push(id) };
  const approvals = createApprovals({ queue: true, records });
  const { id, decision } = approvals.request(waiting, { signal: new AbortController().signal });
  await vi.advanceTimersByTimeAsync(24 * 3_600_000 - 1);
  expect(approvals.list()).toMatchObject([{ id }]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await decision).toEqual({
    decision: "deny",
    by: "expiry",
    note: "no decision came within 24 hours",
  });
  expect(approvals.list()).toEqual([]);
  expect(removed).toEqual([id]);
});

test("a person here is asked no longer once it is decided elsewhere, and the later answer does not count", async () => {
  const asked = Promise.withResolvers<AbortSignal>();
  const answered = Promise.withResolvers<"deny">();
  const handler = (_request: ApprovalRequest, signal: AbortSignal) => {
    asked.resolve(signal);
    return answered.promise;
  };
  const approvals = createApprovals({ handler, queue: false });
  const { id, decision } = approvals.request(waiting, { signal: new AbortController().signal });
  const signal = await asked.promise;
  expect(signal.aborted).toBe(false);
  approvals.decide(id, "allow", { by: "ann" });
  expect(signal.aborted).toBe(true);
  answered.resolve("deny");
  expect(await decision).toEqual({ decision: "allow", by: "ann" });
  expect(() => approvals.decide(id, "deny")).toThrow("already decided");
});

test("a person who leaves without an answer cancels the call, which then has no decision", async () => {
  const { runtime, session } = await openTestSession({
    permissions: { mode: "ask" },
    onApproval: async () => Promise.reject(new DOMException("the window was closed", "AbortError")),
  });
  const result = await session.call("file_write", { path: "a", content: "x" });
  expect(result).toMatchObject({
    status: "cancelled",
    error: { code: "cancelled", message: expect.stringContaining("the window was closed") },
    receipt: { verdict: { decision: "ask" } },
  });
  expect(await runtime.approvals.list()).toEqual([]);
});
