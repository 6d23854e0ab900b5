import { expect, test } from "vitest";
import { openTestSession } from "../../../../support/open-test-session.ts";

test("an empty list says so", async () => {
  const { session } = await openTestSession();
  expect(await session.call("task_list")).toMatchObject({
    text: "No tasks.",
    data: { tasks: [], background: [] },
  });
});

test("tasks stand in the order in which they were made, with what they wait for", async () => {
  const { session } = await openTestSession();
  const first = await session.tasks.create({ title: "First" });
  const second = await session.tasks.create({ title: "Second\nline", dependsOn: [first.id] });
  const { text, data } = await session.call("task_list");
  expect(text).toBe(
    `${first.id} [pending] First\n${second.id} [pending] Second line (blocked by ${first.id})`,
  );
  expect(data).toMatchObject({ tasks: [{ blockedBy: [] }, { blockedBy: [first.id] }] });
  await session.tasks.update(first.id, { status: "done" });
  expect((await session.call("task_list")).text).not.toContain("blocked by");
});

test("background jobs stand beside the tasks, under the same states", async () => {
  const { session } = await openTestSession({ permissions: { mode: "auto" }, sandbox: "off" });
  await session.tasks.create({ title: "A" });
  const started = await session.call("shell_run", { command: "sleep 60", run_in_background: true });
  expect(started.status).toBe("done");
  const listed = await session.call("task_list");
  expect(listed.data).toMatchObject({
    tasks: [{ title: "A" }],
    background: [{ kind: "job", id: "bg_task_1", title: "sleep 60", status: "in_progress" }],
  });
  expect(listed.text).toContain("In the background:\nbg_task_1 [in_progress] job: sleep 60");
  await session.jobs.kill("bg_task_1");
  expect((await session.call("task_list")).data).toMatchObject({ background: [{ status: "cancelled" }] });
});
