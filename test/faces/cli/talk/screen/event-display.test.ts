import { expect, test } from "vitest";
import { planNote } from "../../../../../src/faces/cli/talk/plan-note.ts";
import type { LoggedEvent } from "../../../../../src/index.ts";
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

test("work that a dead process left without an end is not shown as going on", async () => {
  const { screen, shows, visible } = await openTestScreen();
  const show = (...events: readonly object[]) => {
    for (const event of events) screen.show(event as LoggedEvent);
  };
  show(
    { type: "agent-start", sessionId: "s", notes: [] },
    { type: "user-message", text: "go" },
    { type: "assistant-message", content: [{ type: "tool-call", callId: "1" }] },
    { type: "call-start", callId: "1", tool: "shell_run", input: { command: "make" } },
    { type: "subagent-start", subagentId: "agent_1", callId: "1", title: "Look", mode: "background" },
  );
  await shows("shell_run make (1 agent at work)");
  screen.settle();
  screen.tell("opened");
  await shows("opened");
  expect(visible()).not.toMatch(/shell_run make|thinking/);
  show({ type: "agent-start", sessionId: "s", notes: [] });
  await shows("thinking");
  expect(visible()).not.toContain("at work");
});

test("the files that a model is given are told once for as long as they stay the same", async () => {
  const { screen, shows, all } = await openTestScreen();
  const start = (sessionId: string, characters: number) =>
    screen.show({
      type: "agent-start",
      sessionId,
      notes: [{ path: "AGENTS.md", characters, isCut: false }],
    } as unknown as LoggedEvent);
  for (const characters of [20, 20, 21]) start("one", characters);
  start("two", 21);
  await shows(/20 characters[\s\S]*21 characters[\s\S]*21 characters/);
  expect(all().match(/the model is given/g)).toHaveLength(3);
});

test("a long message is indented below its mark", async () => {
  const { screen, shows } = await openTestScreen({ columns: 30 });
  screen.show({ type: "user-message", text: `${"word ".repeat(9)}end` } as LoggedEvent);
  await shows(/^❯ word word word word word\n {2}word word word word end$/m);
});

test("a call in a line says why it was denied, and what a list is about", async () => {
  const { screen, shows } = await openTestScreen();
  const call = (callId: string, more: object) => {
    screen.show({ type: "assistant-message", content: [{ type: "tool-call", callId }] } as never);
    screen.show({ type: "call-end", callId, text: "", ...more } as unknown as LoggedEvent);
  };
  call("1", {
    receipt: { ...receipt, tool: "file_write", input: { path: "a.txt" }, status: "denied" },
    error: { code: "denied", message: "file_write was denied: ann said no: not now" },
  });
  await shows("⊘ file_write a.txt: ann said no: not now 3 ms");
  const todos = [{ title: "One", status: "pending" }, { title: "Two" }];
  call("2", { receipt: { ...receipt, tool: "todo_write", input: { todos } } });
  await shows("✓ todo_write One and 1 more 3 ms");
});

test("the note that plan mode adds to a message is not shown as the person's words", async () => {
  const { screen, shows, all } = await openTestScreen();
  screen.show({ type: "user-message", text: `look\n\n${planNote}` } as LoggedEvent);
  await shows("❯ look\n  (in plan mode)");
  expect(all()).not.toContain("[Plan mode");
});

test.each([
  ["a message of the user", { type: "user-message", text: "long".repeat(500_000) }],
  ["an answer", { type: "text-delta", text: `${"long".repeat(500_000)}\n\n` }],
])("%s of megabytes is shown by its beginning and by how much more there is", async (_what, event) => {
  const { screen, shows, all } = await openTestScreen();
  screen.show(event as LoggedEvent);
  await shows("… and 1,950,00");
  expect(all()).toContain("longlong");
  expect(all().length).toBeLessThan(60_000);
});
