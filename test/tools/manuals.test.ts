import { expect, test } from "vitest";
import { builtinTools } from "../../src/capabilities.ts";
import { openTestSession } from "../support/open-test-session.ts";

// What they do is said by their description, and there is no wrong way to use them.
const obvious = [
  "file_list",
  "file_mkdir",
  "file_move",
  "file_copy",
  "file_delete",
  "file_gitignore",
  "task_list",
];

test("every built-in tool has a short manual, except those whose use is obvious", () => {
  const without = builtinTools.filter(({ prompt }) => prompt === undefined).map(({ name }) => name);
  expect(without).toEqual(builtinTools.map(({ name }) => name).filter((name) => obvious.includes(name)));
  for (const { prompt = "" } of builtinTools) expect(prompt.length).toBeLessThan(700);
});

test("lists of tasks and todos give back descriptions and notes", async () => {
  const { session } = await openTestSession();
  const { data } = await session.call("task_create", {
    title: "one",
    description: "first line\nsecond line",
  });
  const { id } = data as { id: string };
  await session.call("task_update", { id, status: "in_progress", notes: "half done" });
  const details = "\n    first line\n    second line\n    Notes: half done";
  expect((await session.call("task_list")).text).toBe(`${id} [in_progress] one${details}`);
  const read = await session.call("todo_read");
  expect(read.text).toBe(`[>] ${id}: one${details}`);
  expect(read.data).toMatchObject({
    todos: [{ description: "first line\nsecond line", notes: "half done" }],
  });
  const written = await session.call("todo_write", { todos: [{ id, title: "one", status: "completed" }] });
  expect(written.text).toBe(`[x] ${id}: one`);
});
