import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { createJobTable } from "../../src/capabilities/processes/jobs/job-table.ts";
import { openTestSession } from "../support/open-test-session.ts";
import { pass } from "../support/pass.ts";

const countDescriptors = async () => (await readdir("/proc/self/fd")).length;

test("sessions that have run a command share one pool that is made ahead for the next commands", async () => {
  const { runtime } = await openTestSession({ permissions: { mode: "auto" }, sandbox: "off" });
  const before = await countDescriptors();
  const sessions = await Promise.all([1, 2, 3, 4].map(() => runtime.openSession()));
  for (const session of sessions)
    expect(await session.call("shell_run", { command: "true" })).toMatchObject({ status: "done" });
  // Of one pool; each of its own would be four times as many.
  expect((await countDescriptors()) - before).toBeLessThan(160);
  for (const session of sessions) await session.close();
  expect((await countDescriptors()) - before).toBeLessThan(100);
});

test.each([false, true])(
  "a finished job lets go of its output, unless it has left something running (%s)",
  async (hasLeftovers) => {
    const table = createJobTable({ onRecord: () => {}, onEvent: () => {} });
    const identity = { pid: 1, startedAt: "" };
    const record = {
      ...{ id: "bg_task_1", command: "true", state: "running" as const, exitCode: null, signal: null },
      ...{ startedAt: "", isKept: false, hasTerminal: false, outputFile: "", owner: identity, identity },
    } as const;
    const end = { state: "done", exitCode: 0, signal: null, endedAt: "" } as const;
    const ended = Promise.resolve(end);
    table.add(
      record,
      { identity, ended, stop: async () => {}, hasLeftovers: () => hasLeftovers },
      { isNew: true },
    );
    await pass(3);
    expect(table.find("bg_task_1").record.state).toBe("done");
    expect(table.find("bg_task_1").process !== undefined).toBe(hasLeftovers);
  },
);
