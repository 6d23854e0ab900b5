import { expect, test } from "vitest";
import { planNote } from "../../../../src/cli/talk/plan-note.ts";
import type { LoggedEvent } from "../../../../src/index.ts";
import { openTestScreen } from "./open-test-screen.ts";

const receipt = {
  tool: "shell_run",
  input: { command: "make" },
  status: "done",
  durationMs: 3,
  effects: noEffects(),
};

function noEffects() {
  return { reads: [], writes: [], runs: [], hosts: [] };
}

test("a call at work shows the latest line it printed, and a row is free between calls and answers", async () => {
  const { screen, shows, visible } = await openTestScreen();
  const show = (...events: readonly object[]) => {
    for (const event of events) screen.show(event as LoggedEvent);
  };
  const call = { callId: "1", tool: "shell_run", input: { command: "make" } };
  const output = (text: string) => ({ type: "call-progress", ...call, update: { type: "output", text } });
  show(
    { type: "user-message", text: "go" },
    { type: "assistant-message", content: [{ type: "tool-call", callId: "1" }] },
    { type: "call-start", ...call },
    output("one\ntwo \u001b[2J\n"),
  );
  await shows(/shell_run make → two \\u\{1b\}\[2J/);
  show(output("three\n"), { ...output("not ours\n"), callId: "2" });
  await shows("shell_run make → three");
  show(
    { type: "call-end", callId: "1", receipt, text: "three" },
    { type: "text-delta", text: "It is **made**." },
  );
  await shows("It is made.");
  expect(visible()).toMatch(/^❯ go\n\n✓ shell_run make.*\n\nIt is made\.$/m);
});

test("what we add to a message in plan mode is not shown as the person's words", async () => {
  const { screen, shows, all } = await openTestScreen();
  screen.show({ type: "user-message", text: `look\n\n${planNote}` } as LoggedEvent);
  await shows("❯ look\n  (in plan mode)");
  expect(all()).not.toContain("[Plan mode");
});
