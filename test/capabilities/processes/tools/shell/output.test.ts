import { createServer } from "node:net";
import { expect, test } from "vitest";
import type { JobOutput } from "../../../../../src/tool/services/processes.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";

const free = { permissions: { mode: "auto" }, sandbox: "off" } as const;

test("a job's output is read from where the last reading ended", async () => {
  const { session } = await openTestSession(free);
  const command = "echo one; until [ -e go ]; do sleep 0.02; done; echo two";
  const started = await session.call("shell_run", { command, run_in_background: true });
  expect(started).toMatchObject({ status: "done", data: { started: { id: "bg_task_1", state: "running" } } });
  expect(started.text).toContain("Started in the background as bg_task_1");
  const first = await session.call("shell_output", { job: "bg_task_1", wait_for_line: "one" });
  expect(first.text).toMatch(
    /^one\nReady: .*\nbg_task_1 is running\. That is all its output so far; continue with cursor=4\.$/,
  );
  const { cursor } = first.data as JobOutput;
  await session.call("shell_run", { command: "touch go" });
  const second = await session.call("shell_output", { job: "bg_task_1", cursor, wait_for_line: "two" });
  expect(second.data).toMatchObject({ text: "two\n", cursor: 8 });
});

test("shell_output gives no hint to read on for a job that has ended, and says where a job printed more than is kept", async () => {
  const { session } = await openTestSession({ ...free, shell: { maxOutputFileBytes: 1000 } });
  await session.call("shell_run", { command: "echo all of it", run_in_background: true });
  const brief = await session.call("shell_output", { job: "bg_task_1", wait_for_line: "never printed" });
  expect(brief.text).toMatch(
    /^all of it\n.*\nbg_task_1 finished with exit code 0\. That is all its output\.$/,
  );
  await session.call("shell_run", { command: "seq 1 1000", run_in_background: true });
  const long = await session.call("shell_output", { job: "bg_task_2", wait_for_line: "never printed" });
  expect(long.text).toMatch(/bg_task_2 finished with exit code 0\. Its later output was not kept\.$/);
});

test("shell_output with a pattern gives the lines that match, and no pattern can hang it", async () => {
  const { session } = await openTestSession(free);
  await session.call("shell_run", { command: "seq 1 30; echo end", run_in_background: true });
  await session.call("shell_output", { job: "bg_task_1", wait_for_line: "end" });
  const some = await session.call("shell_output", { job: "bg_task_1", pattern: "^[12]0$" });
  expect(some.data).toMatchObject({ text: "10\n20\n" });
  const evil = await session.call("shell_output", { job: "bg_task_1", pattern: "(a+)+$" });
  expect(evil.status).toBe("done");
  const wrong = await session.call("shell_output", { job: "bg_task_1", pattern: "(" });
  expect(wrong).toMatchObject({ status: "failed", error: { code: "invalid-input" } });
});

test("all jobs are listed with how they are or ended", async () => {
  const { session } = await openTestSession(free);
  expect((await session.call("shell_output")).text).toBe("No background jobs.");
  await session.call("shell_run", { command: "exit 3", run_in_background: true });
  await session.call("shell_run", { command: "sleep 1000", run_in_background: true });
  await session.call("shell_output", { job: "bg_task_1", wait_for_line: "never printed" });
  const { text } = await session.call("shell_output");
  expect(text).toBe("bg_task_1 failed with exit code 3. exit 3\nbg_task_2 is running. sleep 1000");
});

test("waiting for a port ends when it is open, and in time when it never is", async (context) => {
  const { session } = await openTestSession(free);
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
  context.onTestFinished(() => void server.close());
  await session.call("shell_run", { command: "sleep 1000", run_in_background: true });
  const ready = await session.call("shell_output", { job: "bg_task_1", wait_for_port: port });
  expect(ready.data).toMatchObject({ readiness: { isReady: true } });
  const never = await session.call("shell_output", { job: "bg_task_1", wait_for_line: "x", timeout: 100 });
  expect(never).toMatchObject({ status: "done", data: { readiness: { isReady: false } } });
});

test("a job's start and end are events", async () => {
  const { session } = await openTestSession(free);
  await session.call("shell_run", { command: "echo hello", run_in_background: true });
  const seen: string[] = [];
  for await (const event of session.events({ channels: ["monitor"] })) {
    if (event.type === "job-start" || event.type === "job-end") seen.push(`${event.type} ${event.job.state}`);
    if (event.type === "job-end") break;
  }
  expect(seen).toEqual(["job-start running", "job-end done"]);
});

test("a job that is not there is told of, and reading needs no permission to act", async () => {
  const { session } = await openTestSession({ sandbox: "off", permissions: { mode: "readonly" } });
  const missing = await session.call("shell_output", { job: "bg_task_7" });
  expect(missing).toMatchObject({ status: "failed", error: { code: "not-found" } });
});
