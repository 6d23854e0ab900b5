import { expect, test } from "vitest";
import { readDecision } from "../../../../src/faces/cli/ask/ask-approval.ts";

const rules = ["@write(/a)"];

test.each([
  ["y", { decision: "allow" }],
  [" YES ", { decision: "allow" }],
  ["s", { decision: "allow", lasts: "session" }],
  ["always", { decision: "allow", lasts: "always" }],
  ["q", { decision: "deny", stop: true }],
  ["n", { decision: "deny" }],
  ["no", { decision: "deny" }],
  ["", { decision: "deny" }],
  ["x", { decision: "deny" }],
  ["no, because it is shared", { decision: "deny", note: "it is shared" }],
  ["n: use b", { decision: "deny", note: "use b" }],
  ["not that file", { decision: "deny", note: "not that file" }],
  ["yes please", { decision: "deny", note: "yes please" }],
] as const)("%j at the terminal is %j", (typed, decision) => {
  expect(readDecision(typed, { rules })).toEqual(decision);
});

test("a call that no rule can describe is not allowed for longer by any letter", () => {
  for (const typed of ["s", "session", "a", "always"])
    expect(readDecision(typed, {})).toMatchObject({ decision: "deny" });
});
