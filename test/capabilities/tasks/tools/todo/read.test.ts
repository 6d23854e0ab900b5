import { expect, test } from "vitest";
import { openTestSession } from "../../../../support/open-test-session.ts";

test("an empty list says so", async () => {
  const { session } = await openTestSession();
  expect(await session.call("todo_read")).toMatchObject({ text: "No todos.", data: { todos: [] } });
});

test("tasks are todos too: one list, whichever way it is looked at", async () => {
  const { session } = await openTestSession();
  const done = await session.tasks.create({ title: "Done" });
  await session.tasks.update(done.id, { status: "done" });
  const failed = await session.tasks.create({ title: "Failed" });
  await session.tasks.update(failed.id, { status: "failed" });
  const { text, data } = await session.call("todo_read");
  expect(text).toBe(`[x] ${done.id}: Done\n[!] ${failed.id}: Failed`);
  expect(data).toMatchObject({ todos: [{ status: "completed" }, { status: "failed" }] });
});
