import { expect, test } from "vitest";
import { replaceTodos } from "../../../src/capabilities/tasks/replace-todos.ts";

test("a generated id differs from those in the list, given with it or generated before", () => {
  const now = "2026-01-01T00:00:00.000Z";
  const candidates = ["old", "given", "made-1", "made-2"];
  const newId = (taken: ReadonlySet<string>) => candidates.find((id) => !taken.has(id))!;
  const before = replaceTodos([], [{ id: "old", title: "Old" }], { now, newId });
  const todos = [{ title: "A" }, { title: "B" }, { id: "given", title: "C" }];
  expect(replaceTodos(before, todos, { now, newId }).map(({ id }) => id)).toEqual([
    "made-1",
    "made-2",
    "given",
  ]);
});
