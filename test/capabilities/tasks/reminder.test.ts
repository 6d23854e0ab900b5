import { expect, test } from "vitest";
import { describeOpen } from "../../../src/capabilities/tasks/tasks-service.ts";
import type { Session } from "../../../src/index.ts";
import { createPlace } from "../../e2e/open-temporary-runtime.ts";
import { openTestSession } from "../../support/open-test-session.ts";

test("a reminder of the open tasks is in the log after so many calls without a change", async () => {
  const { session } = await openTestSession({}, { remindEveryCalls: 3 });
  await session.call("todo_write", {
    todos: [
      { id: "a", title: "Read", status: "completed" },
      { id: "b", title: "Write", status: "in_progress" },
      { id: "c", title: "Test" },
    ],
  });
  await callTimes(session, 7);
  expect(await remindersOf(session)).toEqual([
    { open: 2, text: "2 still to do:\n- [in_progress] b: Write\n- [pending] c: Test" },
    { open: 2, text: "2 still to do:\n- [in_progress] b: Write\n- [pending] c: Test" },
  ]);
});

test("a change restarts the count, and without open tasks there is no reminder", async () => {
  const { session } = await openTestSession({}, { remindEveryCalls: 3 });
  const { id } = await session.tasks.create({ title: "A" });
  await callTimes(session, 2);
  await session.tasks.update(id, { status: "in_progress" });
  await callTimes(session, 2);
  await session.tasks.update(id, { status: "done" });
  await callTimes(session, 10);
  expect(await remindersOf(session)).toEqual([]);
});

test("tasks that an earlier run left open are in the reminder", async () => {
  const { open } = await createPlace();
  const first = await open();
  await (await first.openSession({ id: "one" })).tasks.create({ title: "A" });
  await first.close();
  const session = await (await open()).openSession({ id: "one" });
  await callTimes(session, 10);
  expect(await remindersOf(session)).toMatchObject([{ open: 1 }]);
});

test("remindEveryCalls 0 never reminds", async () => {
  const { session } = await openTestSession({}, { remindEveryCalls: 0 });
  await session.tasks.create({ title: "A" });
  await callTimes(session, 30);
  expect(await remindersOf(session)).toEqual([]);
});

test("the embedding program can get the text of a reminder", async () => {
  const { session } = await openTestSession();
  expect(await session.todos.reminder()).toBeUndefined();
  await session.todos.write([{ id: "a", title: "One\nTwo" }]);
  expect(await session.todos.reminder()).toBe("1 still to do:\n- [pending] a: One Two");
});

test("a reminder of many tasks names the first ten", () => {
  const now = new Date(0).toISOString();
  const tasks = Array.from({ length: 12 }, (_, index) => ({
    id: `${index}`,
    title: "T",
    status: "pending" as const,
    dependsOn: [],
    blockedBy: [],
    createdAt: now,
    updatedAt: now,
  }));
  const lines = describeOpen(tasks)!.split("\n");
  expect([lines[0], lines.length, lines.at(-1)]).toEqual(["12 still to do:", 12, "- … and 2 more"]);
});

async function callTimes(session: Session, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await session.call("task_list");
}

async function remindersOf(session: Session): Promise<{ text: string; open: number }[]> {
  await session.close();
  const reminders: { text: string; open: number }[] = [];
  for await (const event of session.events()) {
    if (event.type === "todo-reminder") reminders.push({ text: event.text, open: event.open });
  }
  return reminders;
}
