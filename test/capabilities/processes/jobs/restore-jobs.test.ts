import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { JobSpec } from "../../../../src/capabilities/processes/jobs/job-launcher.ts";
import type { JobRecord } from "../../../../src/capabilities/processes/jobs/job-record.ts";
import { identityOf, isRunning } from "../../../../src/shared/process-identity.ts";
import { programFile } from "../../../support/programs/program-file.ts";
import { until } from "../../../support/until.ts";
import { command, createJobsPlace, isAlive, type JobsPlace } from "../jobs-place.ts";

/** Shell code that waits until the test creates a file. */
const untilGo = "until [ -e go ]; do sleep 0.05; done";

test("a kept job goes on when its runtime is killed, and the next one finds it again", async () => {
  const place = await createJobsPlace();
  const parent = await startParent(place, [
    command(`echo before; ${untilGo}; echo after; exit 7`, { directory: place.folder, keep: true }),
  ]);
  await parent.kill();
  const jobs = await place.open();
  expect(jobs.get("bg_task_1")).toMatchObject({
    state: "running",
    isKept: true,
    outputFile: expect.any(String),
  });
  expect(place.events).toEqual([]);
  const ready = await jobs.waitFor("bg_task_1", { pattern: "^before$", deadlineMs: 45_000 });
  expect(ready).toMatchObject({ isReady: true, reason: "it printed: before" });
  await writeFile(join(place.folder, "go"), "");
  const { job } = await place.untilEvent("job-end", "bg_task_1");
  expect(job).toMatchObject({ state: "failed", exitCode: 7 });
  expect((await jobs.output("bg_task_1")).text).toBe("before\nafter\n");
});

test("the end of a kept job is reported even if no runtime was there", async () => {
  const place = await createJobsPlace();
  const parent = await startParent(place, [
    command(`${untilGo}; exit 5`, { directory: place.folder, keep: true }),
    command("exec sleep 1000", { keep: true, timeoutMs: 5000 }),
    command(`${untilGo}; kill -9 $$`, { directory: place.folder, keep: true }),
  ]);
  await parent.kill();
  await writeFile(join(place.folder, "go"), "");
  const supervisors = [...place.records.values()].map(({ identity }) => identity);
  await until(async () => !(await Promise.all(supervisors.map(isRunning))).includes(true));
  const jobs = await place.open();
  expect(jobs.list().map(({ state, exitCode, signal }) => ({ state, exitCode, signal }))).toEqual([
    { state: "failed", exitCode: 5, signal: null },
    { state: "timed-out", exitCode: null, signal: "SIGTERM" },
    { state: "failed", exitCode: null, signal: "SIGKILL" },
  ]);
  expect(place.events.map(({ type, job: { id } }) => `${type} ${id}`)).toEqual([
    "job-end bg_task_1",
    "job-end bg_task_2",
    "job-end bg_task_3",
  ]);
  expect((await place.open()).list()).toEqual(jobs.list());
  expect(place.events).toHaveLength(3);
});

test("a kept job that lost its supervisor is ended, and one of which nothing is left is unknown", async () => {
  const place = await createJobsPlace();
  const parent = await startParent(place, [
    command("echo $$; trap '' PIPE; sleep 1000", { keep: true }),
    command(`${untilGo}; exit 1`, { directory: place.folder, keep: true }),
  ]);
  await parent.kill();
  await writeFile(join(place.folder, "go"), "");
  const pid = await printedNumber(place, "bg_task_1");
  const [supervisor, lost] = ["bg_task_1", "bg_task_2"].map((id) => place.records.get(id)!.identity);
  process.kill(supervisor!.pid, "SIGKILL");
  for (const gone of [supervisor!, lost!]) await until(async () => !(await isRunning(gone)));
  await rm(join(place.folder, "jobs/bg_task_2/job.json"));
  const jobs = await place.open();
  expect(jobs.list()).toMatchObject([
    { state: "killed", exitCode: null, note: expect.stringContaining("had ended") },
    { state: "unknown", exitCode: null },
  ]);
  expect(await isAlive(pid)).toBe(false);
});

test("other jobs of a runtime that was killed are ended by the next one, wherever they went", async () => {
  const place = await createJobsPlace();
  const parent = await startParent(place, [
    command("setsid sleep 1000 & echo $!; exec sleep 1001"),
    command("setsid sleep 1000 & echo $!"),
  ]);
  const pids = [await printedNumber(place, "bg_task_1"), await printedNumber(place, "bg_task_2")];
  const leader = place.records.get("bg_task_1")!.identity.pid;
  await until(async () => !(await isAlive(place.records.get("bg_task_2")!.identity.pid)));
  await parent.kill();
  expect(await Promise.all([leader, ...pids].map(isAlive))).toEqual([true, true, true]);
  const jobs = await place.open();
  expect(await Promise.all([leader, ...pids].map(isAlive))).toEqual([false, false, false]);
  expect(jobs.get("bg_task_1")).toMatchObject({
    state: "killed",
    note: "the runtime that started it had ended",
  });
  expect(jobs.get("bg_task_2").state).toBe("unknown");
  expect(place.events.map(({ type }) => type)).toEqual(["job-end", "job-end"]);
  expect((await jobs.start(command("true"))).id).toBe("bg_task_3");
});

test("a stranger that was given a job's number is never signalled", async () => {
  const place = await createJobsPlace();
  const stranger = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  onTestFinished(() => void stranger.kill("SIGKILL"));
  const pid = stranger.pid!;
  const { startedAt } = await identityOf(pid);
  const dead = { pid: 2 ** 22 + 1, startedAt: "1" };
  for (const [index, isKept] of [true, false].entries()) {
    const id = `bg_task_${index + 1}`;
    const identity = { pid, startedAt: String(Number(startedAt) - 1) };
    place.records.set(id, { ...recordOf(id), identity, isKept, owner: dead });
  }
  const jobs = await place.open();
  expect(jobs.list().map(({ state }) => state)).toEqual(["unknown", "unknown"]);
  await jobs.kill("bg_task_1");
  await jobs.kill("bg_task_2");
  await jobs.close();
  expect(stranger.exitCode ?? stranger.signalCode).toBe(null);
  expect(await isAlive(pid)).toBe(true);
});

test("a job of another runtime that has the session open is left alone", async () => {
  const place = await createJobsPlace();
  const parent = await startParent(place, [command("exec sleep 1000")]);
  const { pid } = place.records.get("bg_task_1")!.identity;
  const jobs = await place.open();
  expect(jobs.get("bg_task_1").state).toBe("running");
  await expect(jobs.kill("bg_task_1")).rejects.toMatchObject({ code: "conflict" });
  expect((await jobs.start(command("true"))).id).toBe("bg_task_2");
  await jobs.close();
  expect(await isAlive(pid)).toBe(true);
  await parent.kill();
  expect((await place.open()).get("bg_task_1").state).toBe("killed");
  expect(await isAlive(pid)).toBe(false);
});

test("a job whose record never reached the session's log is found by its folder", async () => {
  const place = await createJobsPlace();
  const parent = await startParent(place, [
    command("exec sleep 1000", { keep: true }),
    command("exec sleep 1000"),
  ]);
  const { pid } = place.records.get("bg_task_2")!.identity;
  await parent.kill();
  place.records.clear();
  const jobs = await place.open();
  expect(jobs.list()).toMatchObject([
    { id: "bg_task_1", state: "running", isKept: true },
    { id: "bg_task_2", state: "killed" },
  ]);
  expect(await isAlive(pid)).toBe(false);
});

async function startParent(place: JobsPlace, specs: readonly JobSpec[]): Promise<{ kill(): Promise<void> }> {
  const script = programFile(new URL("../child-jobs.ts", import.meta.url));
  const parent = spawn(process.execPath, [script, join(place.folder, "jobs"), JSON.stringify(specs)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = async () => {
    if (parent.exitCode !== null || parent.signalCode !== null) return;
    parent.kill("SIGKILL");
    await once(parent, "exit");
  };
  onTestFinished(kill);
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const records = JSON.parse(line.toString()) as Record<string, JobRecord>;
  for (const [id, record] of Object.entries(records)) place.records.set(id, record);
  return { kill };
}

async function printedNumber(place: JobsPlace, id: string): Promise<number> {
  const { outputFile } = place.records.get(id)!;
  let text = "";
  await until(async () => {
    text = await readFile(outputFile, "utf8");
    return text.endsWith("\n");
  });
  return Number(text);
}

function recordOf(id: string): JobRecord {
  const nobody = { pid: 1, startedAt: "" };
  return {
    id,
    command: "true",
    state: "running",
    exitCode: null,
    signal: null,
    startedAt: "2026-01-01T00:00:00.000Z",
    identity: nobody,
    isKept: false,
    hasTerminal: false,
    outputFile: "/nowhere",
    owner: nobody,
  };
}
