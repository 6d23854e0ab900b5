import { expect, test } from "vitest";
import { openTestSession } from "../../../../support/open-test-session.ts";

const list = [
  { id: "a", title: "Read", status: "completed" },
  { id: "b", title: "Write", status: "in_progress", assignee: "me", notes: "soon" },
  { id: "c", title: "Test" },
] as const;

test("the list is replaced, in its order, and read back", async () => {
  const { session } = await openTestSession({ permissions: { mode: "readonly" } });
  const written = await session.call("todo_write", { todos: list });
  expect(written).toMatchObject({ status: "done", text: "[x] a: Read\n[>] b: Write\n[ ] c: Test" });
  expect(written.data).toMatchObject({ todos: [list[0], list[1], { ...list[2], status: "pending" }] });
  const [a, b] = await session.todos.list();
  await session.call("todo_write", {
    todos: [{ ...list[1], status: "completed" }, list[0], { title: "New" }],
  });
  const after = await session.todos.list();
  expect(after.map(({ title }) => title)).toEqual(["Write", "Read", "New"]);
  expect(after[0]).toMatchObject({ createdAt: b!.createdAt, status: "completed" });
  expect(after[1]).toEqual(a);
});

test.each([
  ["the same id twice", [list[0], { ...list[1], id: "a" }], 'two todos have the id "a"'],
  [
    "two in progress",
    [list[1], { ...list[2], status: "in_progress" }],
    "only one todo may be in progress, not 2: b, c",
  ],
  ["an id with a line break", [{ id: "a\nb", title: "A" }], "without line breaks"],
  ["an id with another line break", [{ id: "a\u2028b", title: "A" }], 'received "a\\u{2028}b"'],
  ["an id that is not what it looks like", [{ id: "a\u202eb", title: "A" }], "or invisible characters"],
  ["a blank title", [{ id: "a", title: "  " }], "the title must not be blank"],
  ["no title", [{ id: "a" }], "$.todos[0].title"],
  ["a state that is none", [{ id: "a", title: "A", status: "done" }], "completed"],
])("a list with %s is refused, and the old one stays", async (_name, todos, message) => {
  const { session } = await openTestSession();
  await session.call("todo_write", { todos: list });
  const before = await session.todos.list();
  const { error } = await session.call("todo_write" as string, { todos });
  expect(error).toMatchObject({ code: "invalid-input", message: expect.stringContaining(message) });
  expect(await session.todos.list()).toEqual(before);
});

test("a task that stays in the list keeps the fields that todos lack, and no task waits for one that was left out", async () => {
  const { session } = await openTestSession();
  const first = await session.tasks.create({ title: "First" });
  const second = await session.tasks.create({ title: "Second", description: "long", dependsOn: [first.id] });
  const begun = { id: second.id, title: "Second", status: "in_progress" } as const;
  const blocked = await session.call("todo_write", { todos: [{ id: first.id, title: "First" }, begun] });
  expect(blocked.error).toMatchObject({ code: "conflict", message: expect.stringContaining(first.id) });
  expect((await session.call("todo_write", { todos: [begun] })).status).toBe("done");
  expect(await session.tasks.list()).toMatchObject([
    { id: second.id, description: "long", dependsOn: [], status: "in_progress" },
  ]);
});

test("every change of the todos is an event with what changed and what went, and the same list again is none", async () => {
  const { session } = await openTestSession();
  await session.call("todo_write", { todos: list });
  await session.call("todo_write", { todos: list });
  await session.call("todo_write", { todos: list.slice(0, 2) });
  await session.close();
  const told = [];
  for await (const event of session.events({ channels: ["monitor"] })) {
    if (event.type === "todo-change") told.push([event.changed.map(({ id }) => id), event.removed]);
  }
  expect(told).toEqual([
    [["a", "b", "c"], []],
    [[], ["c"]],
  ]);
});

test("an empty list removes all todos", async () => {
  const { session } = await openTestSession();
  await session.call("todo_write", { todos: list });
  expect((await session.call("todo_write", { todos: [] })).text).toBe("No todos.");
  expect(await session.tasks.list()).toEqual([]);
});

test("a thousand todos without ids get ids that differ", async () => {
  const { session } = await openTestSession();
  const todos = Array.from({ length: 1000 }, (_, index) => ({ title: `Step ${index}` }));
  const { data } = await session.call("todo_write", { todos });
  expect(new Set((data as { todos: { id: string }[] }).todos.map(({ id }) => id)).size).toBe(1000);
});
