import { expect, test } from "vitest";
import { createTaskList } from "../../../src/capabilities/tasks/task-list.ts";
import { taskRecords } from "../../../src/capabilities/tasks/task-record.ts";
import { keptIn } from "../../../src/kernel/store/kept/kept-kind.ts";
import { createPlace } from "../../e2e/open-temporary-runtime.ts";
import { startChild } from "../../kernel/store/child.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const script = new URL("child-tasks.ts", import.meta.url);

test("tasks and todos are there again when the session is resumed, and only in it", async () => {
  const { open } = await createPlace();
  const first = await open();
  const session = await first.openSession({ id: "one" });
  const { id } = await session.tasks.create({ title: "A" });
  await session.tasks.create({ title: "B", description: "after A", dependsOn: [id] });
  await session.tasks.update(id, { status: "in_progress", notes: "begun" });
  const before = await session.tasks.list();
  await first.close();

  const second = await open();
  const resumed = await second.openSession({ id: "one" });
  expect(await resumed.tasks.list()).toEqual(before);
  expect((await resumed.todos.list()).map(({ title }) => title)).toEqual(["A", "B"]);
  expect((await resumed.call("task_update", { id, status: "done" })).status).toBe("done");
  expect(await (await second.openSession({ id: "two" })).tasks.list()).toEqual([]);
});

test("a task whose id was given out is there after kill -9", async () => {
  const { workspace, store, open } = await createPlace();
  const child = startChild(script, ["create-for-ever", workspace, store]);
  const given = [await child.nextLine(), await child.nextLine(), await child.nextLine()];
  await child.kill();
  given.push(...(await child.printed()));
  const session = await (await open()).openSession({ id: "shared" });
  const kept = (await session.tasks.list()).map(({ id }) => id);
  // The task it was about to report when it was killed may exist as well.
  expect(kept.slice(0, given.length)).toEqual(given);
});

test("changes at the same moment are made one after the other", async () => {
  const { session } = await openTestSession();
  const [a, b] = await Promise.all([
    session.tasks.create({ title: "A" }),
    session.tasks.create({ title: "B" }),
  ]);
  await Promise.all([
    session.tasks.update(a.id, { status: "in_progress" }),
    session.tasks.update(a.id, { notes: "begun" }),
  ]);
  expect((await session.tasks.list())[0]).toMatchObject({ status: "in_progress", notes: "begun" });
  // Each is fine alone; together they would block each other forever.
  const settled = await Promise.allSettled([
    session.tasks.update(a.id, { status: "pending", dependsOn: [b.id] }),
    session.tasks.update(b.id, { dependsOn: [a.id] }),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});

test("a change of a task that cannot be stored fails", async () => {
  const { tasks } = createTaskList({
    read: async () => new Map(),
    write: () => Promise.reject(new Error("the disk is full")),
    background: [],
  });
  await expect(tasks.create({ title: "A" })).rejects.toThrow("the disk is full");
  await expect(tasks.create({ title: "A" })).rejects.toThrow("the disk is full");
});

test("the task list is read again for a change only after one that may not have been stored", async () => {
  let reads = 0;
  let isDown = false;
  const { tasks } = createTaskList({
    read: async () => {
      reads += 1;
      return new Map();
    },
    write: async () => {
      if (isDown) throw new Error("the disk is full");
    },
    background: [],
  });
  const { id } = await tasks.create({ title: "A" });
  await tasks.create({ title: "B", dependsOn: [id] });
  await tasks.update(id, { status: "done" });
  expect(reads).toBe(1);
  isDown = true;
  await expect(tasks.update(id, { notes: "x" })).rejects.toThrow("the disk is full");
  isDown = false;
  await expect(tasks.update(id, { notes: "x" })).rejects.toThrow("there is no task");
  expect(reads).toBe(2);
});

test("damaged values among the tasks are left out", async () => {
  const stored: [string, unknown][] = [
    ["a", 1],
    ["b", { id: "b" }],
    ["c", null],
  ];
  const { tasks } = createTaskList({
    read: keptIn({ readVariables: async () => new Map(stored) }, taskRecords, "one").list,
    write: async () => {},
    background: [],
  });
  expect(await tasks.list()).toEqual([]);
});

test("secrets in a task are masked in what is told of it", async () => {
  const { session } = await openTestSession({ secrets: ["swordfish"] });
  await session.call("task_create", { title: "Use swordfish" });
  await session.close();
  for await (const event of session.events()) expect(JSON.stringify(event)).not.toContain("swordfish");
});

test("an unknown status is refused, also where no schema has checked it", async () => {
  const { session } = await openTestSession();
  const { id } = await session.tasks.create({ title: "A" });
  const status = "finished" as "done";
  await expect(session.tasks.update(id, { status })).rejects.toThrow("one of pending");
  await expect(session.todos.write([{ title: "B", status: status as "failed" }])).rejects.toThrow("received");
  expect(await session.tasks.list()).toMatchObject([{ id, status: "pending" }]);
});

test("a title is one line in lists and shows all its characters, whatever it is made of", async () => {
  const { session } = await openTestSession();
  const titles = ["a\n[x] b: c", "a\u2028b", "a\u202eb", "\u009b2J", "a\u0085b", "x".repeat(1_000_000)];
  for (const title of titles) await session.tasks.create({ title });
  const texts = [
    (await session.call("task_list")).text,
    (await session.call("todo_read")).text,
    (await session.todos.reminder())!.replace(/^.*\n/, ""),
  ];
  for (const text of texts) {
    expect(text.split("\n")).toHaveLength(titles.length);
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
    expect(text.length).toBeLessThan(2000);
  }
});
