import { expect, test } from "vitest";
import { openTestSession } from "../../../../support/open-test-session.ts";

test("a task is pending, has an id of its own and needs no approval in any mode", async () => {
  for (const mode of ["readonly", "ask", "edit", "auto"] as const) {
    const { session } = await openTestSession({ permissions: { mode } });
    const result = await session.call("task_create", { title: "Write the parser", description: "By hand" });
    expect(result).toMatchObject({
      status: "done",
      text: expect.stringMatching(/^Created task_\w+ \[pending\] Write the parser$/),
      data: {
        title: "Write the parser",
        description: "By hand",
        status: "pending",
        dependsOn: [],
        blockedBy: [],
      },
    });
  }
});

test("a hundred created at once are a hundred, each once", async () => {
  const { session } = await openTestSession();
  const calls = Array.from({ length: 100 }, (_, index) => ({
    name: "task_create",
    input: { title: `${index}` },
  }));
  const results = await session.callAll(calls);
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["done"]));
  const tasks = await session.tasks.list();
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(100);
  expect(tasks.map(({ title }) => Number(title)).sort((one, other) => one - other)).toEqual(
    calls.map((_, index) => index),
  );
});

test("tasks that a new one depends on must exist", async () => {
  const { session } = await openTestSession();
  const result = await session.call("task_create", { title: "B", depends_on: ["task_none"] });
  expect(result.error).toMatchObject({ code: "not-found", message: 'there is no task "task_none"' });
  expect(await session.tasks.list()).toEqual([]);
});

test.each([
  [{}, "$.title"],
  [{ title: "" }, "$.title"],
  [{ title: "x".repeat(501) }, "$.title"],
  [{ title: " \n" }, "the title must not be blank"],
])("a task created from %j is refused", async (input, message) => {
  const { session } = await openTestSession();
  const { error } = await session.call("task_create" as string, input);
  expect(error).toMatchObject({ code: "invalid-input", message: expect.stringContaining(message) });
});

test("a preview creates nothing", async () => {
  const { session } = await openTestSession();
  expect((await session.dryRun("task_create", { title: "A" })).status).toBe("failed");
  expect(await session.tasks.list()).toEqual([]);
});

test("task_create is TaskCreate in the dialect flyto", async () => {
  const { session } = await openTestSession({ dialect: "flyto" });
  expect((await session.call("TaskCreate", { title: "A" })).status).toBe("done");
  expect((await session.call("TaskList")).text).toMatch(/^task_\w+ \[pending\] A$/);
});
