import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { StartableProgram } from "../../../src/machine/sandbox/sandbox.ts";
import { makeWorkspace, testInside } from "../../machine/sandbox/inside.ts";
import { command, createJobsPlace, isAlive } from "./jobs-place.ts";

testInside("a kept job in a sandbox outlives its session, in bounds, and is ended by the next", async () => {
  const { root, sandbox } = await makeWorkspace();
  const place = await createJobsPlace();
  const box = { profile: "workspace-write", directory: root, isKept: true } as const;
  const jobs = await place.open();
  const job = await jobs.start(
    command("cd /; echo inside > /tmp/x; ls /proc | grep -c '^[0-9]'; setsid sleep 1000 & sleep 1001", {
      directory: root,
      keep: true,
      wrap: (program: StartableProgram) => sandbox.wrap(program, box),
    }),
  );
  expect(await jobs.waitFor(job.id, { pattern: "^\\d$", deadlineMs: 15_000 })).toMatchObject({
    isReady: true,
  });
  await jobs.close();
  expect(await isAlive(job.identity.pid)).toBe(true);
  const again = await place.open();
  const program = await childrenOf(job.identity.pid);
  expect(program).toHaveLength(1);
  expect(await again.kill(job.id)).toMatchObject({ state: "killed" });
  expect(await Promise.all(program.map(isAlive))).toEqual([false]);
});

testInside("a kept job in a sandbox is asked to end before it is made to", async () => {
  const { root, sandbox } = await makeWorkspace();
  const place = await createJobsPlace();
  const box = { profile: "workspace-write", directory: root, isKept: true } as const;
  const jobs = await place.open();
  const job = await jobs.start(
    command("trap 'echo cleaned; exit 5' TERM; echo on; while true; do sleep 0.05; done", {
      directory: root,
      keep: true,
      wrap: (program: StartableProgram) => sandbox.wrap(program, box),
    }),
  );
  await jobs.waitFor(job.id, { pattern: "^on$", deadlineMs: 15_000 });
  expect(await jobs.kill(job.id)).toMatchObject({ state: "killed", exitCode: 5 });
  // If it has the time, bash also reports that its `sleep` was terminated.
  expect((await jobs.output(job.id)).text).toMatch(/^on\n(?:Terminated\n)?cleaned\n$/);
});

testInside(
  "a command in a sandbox can have a terminal, and is told of when it waits for typing",
  async () => {
    const { root, sandbox } = await makeWorkspace();
    const place = await createJobsPlace();
    const jobs = await place.open();
    const box = { profile: "workspace-write", directory: root, hasTerminal: true } as const;
    const job = await jobs.start(
      command("test -t 0 && read -p 'name? ' name; echo \"hello $name\"; pwd", {
        directory: root,
        terminal: true,
        wrap: (program: StartableProgram) => sandbox.wrap(program, box),
      }),
    );
    await place.untilEvent("job-wait", job.id);
    jobs.write(job.id, "Ada\r");
    expect((await place.untilEvent("job-end", job.id)).job).toMatchObject({ state: "done" });
    expect((await jobs.output(job.id)).text).toBe(`name? Ada\nhello Ada\n${root}\n`);
  },
);

testInside("a job in a sandbox is ended with all it started", async () => {
  const { root, sandbox } = await makeWorkspace();
  const place = await createJobsPlace();
  const jobs = await place.open();
  const box = { profile: "workspace-write", directory: root } as const;
  const job = await jobs.start(
    command("setsid sleep 1000 & exec sleep 1001", {
      directory: root,
      wrap: (program: StartableProgram) => sandbox.wrap(program, box),
    }),
  );
  expect(await jobs.kill(job.id)).toMatchObject({ state: "killed" });
  expect(await isAlive(job.identity.pid)).toBe(false);
});

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(join("/proc", String(pid), "task", String(pid), "children"), "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}
