import { expect, test } from "vitest";
import type { Session } from "../../../../../src/index.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";

test("a task goes from pending over in_progress to an end", async () => {
  for (const end of ["done", "failed", "cancelled"] as const) {
    const { session } = await openTestSession();
    const { id } = await session.tasks.create({ title: "A" });
    expect((await session.call("task_update", { id, status: "in_progress" })).text).toBe(
      `${id} [in_progress] A`,
    );
    const ended = await session.call("task_update", { id, status: end, notes: "so it went" });
    expect(ended.data).toMatchObject({ id, status: end, notes: "so it went" });
  }
});

test("a task that is done stays done; one that failed may be tried again", async () => {
  const { session } = await openTestSession();
  const { id } = await session.tasks.create({ title: "A" });
  await session.tasks.update(id, { status: "failed" });
  expect((await session.call("task_update", { id, status: "in_progress" })).status).toBe("done");
  await session.tasks.update(id, { status: "done" });
  expect((await session.call("task_update", { id, status: "pending" })).error).toMatchObject({
    code: "conflict",
    message: `${id} is done; a done task cannot be reopened`,
  });
  // Said twice, it is no change.
  expect((await session.call("task_update", { id, status: "done" })).status).toBe("done");
});

test("a task can neither begin nor be done before what it waits for is done", async () => {
  const { session } = await openTestSession();
  const [first = "", second = ""] = await createChain(session, 2);
  for (const status of ["in_progress", "done"] as const) {
    const { error } = await session.call("task_update", { id: second, status });
    expect(error).toMatchObject({
      code: "conflict",
      message: `${second} cannot be ${status}: it is blocked by ${first} (pending)`,
    });
  }
  // It need not be done to be given up.
  expect((await session.call("task_update", { id: second, status: "cancelled" })).status).toBe("done");
  await session.tasks.update(first, { status: "done" });
  expect((await session.call("task_update", { id: second, status: "in_progress" })).status).toBe("done");
});

test.each([1, 2, 3, 500])(
  "a task that would wait for itself in a circle of %i is refused, and nothing changes",
  async (length) => {
    const { session } = await openTestSession();
    const ids = await createChain(session, length);
    const before = await session.tasks.list();
    const { error } = await session.call("task_update", {
      id: ids[0]!,
      status: "pending",
      depends_on: ids.slice(-1),
    });
    expect(error).toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("would depend on itself"),
    });
    // The ends of it tell enough.
    expect(error?.message.split(" → ").length).toBe(Math.min(length + 1, 11));
    expect(await session.tasks.list()).toEqual(before);
  },
);

test("an unknown id of a task is refused with the nearest id", async () => {
  const { session } = await openTestSession();
  const { id } = await session.tasks.create({ title: "A" });
  const { error } = await session.call("task_update", { id: `${id}x`, status: "done" });
  expect(error).toMatchObject({ code: "not-found", hint: `Did you mean ${id}?` });
});

test("an unknown status is refused with the statuses that there are", async () => {
  const { session } = await openTestSession();
  const { id } = await session.tasks.create({ title: "A" });
  const { error } = await session.call("task_update" as string, { id, status: "completed" });
  expect(error).toMatchObject({ code: "invalid-input", message: expect.stringContaining("in_progress") });
});

test("a hundred changes at once are each made to what the one before left", async () => {
  const { session } = await openTestSession();
  const { id } = await session.tasks.create({ title: "A" });
  const others = await Promise.all(
    Array.from({ length: 50 }, (_, index) => session.tasks.create({ title: `${index}` })),
  );
  const changes = others.flatMap((other) => [
    session.call("task_update", { id: other.id, status: "in_progress" }),
    session.call("task_update", { id, status: "in_progress", notes: other.id }),
  ]);
  const results = await Promise.all(changes);
  expect(results.filter(({ status }) => status !== "done")).toEqual([]);
  const tasks = await session.tasks.list();
  expect(tasks.filter(({ status }) => status === "in_progress")).toHaveLength(51);
});

test("a background job can be cancelled by its id, and nothing else", async () => {
  const { session } = await openTestSession({ permissions: { mode: "auto" }, sandbox: "off" });
  await session.call("shell_run", { command: "sleep 60", run_in_background: true });
  const refused = await session.call("task_update", { id: "bg_task_1", status: "done" });
  expect(refused.error).toMatchObject({ code: "conflict" });
  const cancelled = await session.call("task_update", { id: "bg_task_1", status: "cancelled" });
  expect(cancelled).toMatchObject({ status: "done", data: { kind: "job", status: "cancelled" } });
  expect((await session.jobs.get("bg_task_1")).state).toBe("killed");
});

/** Each waits for the one before it. */
async function createChain(session: Session, length: number): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 0; count < length; count += 1) {
    const { id } = await session.tasks.create({ title: `${count}`, dependsOn: ids.slice(-1) });
    ids.push(id);
  }
  return ids;
}
