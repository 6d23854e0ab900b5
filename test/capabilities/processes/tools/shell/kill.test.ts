import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestSession } from "../../../../support/open-test-session.ts";

const free = { permissions: { mode: "auto" }, sandbox: "off" } as const;

test("shell_kill ends a job with everything it started, also what left its group", async () => {
  const { session, workspace } = await openTestSession(free);
  const command = "setsid sh -c 'echo $$ > pid; echo up; exec sleep 1000' & wait";
  await session.call("shell_run", { command, run_in_background: true });
  await session.call("shell_output", { job: "bg_task_1", wait_for_line: "up" });
  const result = await session.call("shell_kill", { job: "bg_task_1" });
  expect(result).toMatchObject({ status: "done", text: "bg_task_1 was stopped.", data: { state: "killed" } });
  const state = await readFile(
    `/proc/${(await readFile(join(workspace, "pid"), "utf8")).trim()}/stat`,
    "utf8",
  ).catch(() => "gone");
  expect(state).toMatch(/^gone$|\) [ZX] /);
});

test("a job that has ended is left as it is", async () => {
  const { session } = await openTestSession(free);
  await session.call("shell_run", { command: "true", run_in_background: true });
  await session.call("shell_output", { job: "bg_task_1", wait_for_line: "nothing comes" });
  const result = await session.call("shell_kill", { job: "bg_task_1" });
  expect(result).toMatchObject({ status: "done", text: "bg_task_1 had already ended: done." });
  const missing = await session.call("shell_kill", { job: "bg_task_2" });
  expect(missing).toMatchObject({ status: "failed", error: { code: "not-found" } });
});

test("at most 64 jobs run at once, and one more is refused with the reason", async () => {
  const { session } = await openTestSession(free);
  const start = () => session.call("shell_run", { command: "sleep 1000", run_in_background: true });
  for (let count = 0; count < 64; count += 1) expect((await start()).status).toBe("done");
  const refused = await start();
  expect(refused).toMatchObject({ status: "failed", error: { code: "unavailable" } });
  expect(refused.text).toContain("64 background jobs are already running");
  await session.call("shell_kill", { job: "bg_task_1" });
  expect((await start()).status).toBe("done");
  await session.close();
}, 60_000);
