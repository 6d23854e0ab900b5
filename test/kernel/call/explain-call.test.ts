import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { act, echo } from "../../support/sample-tools.ts";

test("explaining gives the verdict, runs nothing and leaves no receipt", async () => {
  let runs = 0;
  const counted = defineTool({ name: "counted", description: "Counts.", params: {}, run: () => ++runs });
  const { session, runtime } = await openTestSession({ tools: [counted], permissions: { mode: "auto" } });
  expect(await session.explain("counted")).toEqual({
    decision: "allow",
    reason: "it may do more than read; mode auto allows it",
    decidedBy: "mode auto",
    permissionClass: "execute",
    effects: { reads: [], writes: [], runs: [], hosts: [], opaque: true },
  });
  expect(runs).toBe(0);
  expect(await runtime.receipts()).toEqual([]);
});

test("explaining asks the hooks, and they can tell that nothing will run", async () => {
  const seen: boolean[] = [];
  const { session } = await openTestSession({
    tools: [echo],
    hooks: {
      beforeCall: ({ isExplaining }) => {
        seen.push(isExplaining);
        return { decision: "deny", reason: "closed" };
      },
    },
  });
  expect(await session.explain("echo", { text: "x" })).toMatchObject({
    decision: "deny",
    decidedBy: "hook beforeCall[0]",
  });
  await session.call("echo", { text: "x" });
  expect(seen).toEqual([true, false]);
});

test("a call that could not be made cannot be explained", async () => {
  const { session } = await openTestSession({ tools: [act] });
  await expect(session.explain("acct")).rejects.toMatchObject({
    code: "unknown-tool",
    hint: "Did you mean act?",
  });
  await expect(session.explain("act", { x: 1 })).rejects.toMatchObject({ code: "invalid-input" });
});
