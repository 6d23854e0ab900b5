import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCommand } from "../../../../src/capabilities/processes/command/start-command.ts";
import type { Jobs } from "../../../../src/capabilities/processes/jobs/open-jobs.ts";
import { fuzzRuns } from "../../../support/fuzz.ts";
import { command, createJobsPlace, isAlive } from "../jobs-place.ts";

test("starting a job returns immediately, and its end is reported", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command("echo hello; exit 3"));
  expect(job).toMatchObject({ id: "bg_task_1", state: "running", exitCode: null, isKept: false });
  const { job: ended } = await place.untilEvent("job-end", job.id);
  expect(ended).toMatchObject({ id: "bg_task_1", state: "failed", exitCode: 3, signal: null });
  expect(jobs.get(job.id)).toEqual(ended);
  expect(place.records.get(job.id)).toMatchObject({ state: "failed", exitCode: 3 });
  expect(place.events.map(({ type }) => type)).toEqual(["job-start", "job-end"]);
  expect(await jobs.output(job.id)).toMatchObject({ text: "hello\n", cursor: 6, hasMore: false });
});

test("a job that ends well is done", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command("true"));
  expect((await place.untilEvent("job-end", job.id)).job).toMatchObject({ state: "done", exitCode: 0 });
});

test("output is read from a cursor on while the job prints it, without a gap or a split character", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command('for i in {1..300}; do echo "ligne $i: été 🦉"; sleep 0.002; done'));
  let text = "";
  let cursor = 0;
  for (let isOver = false; !isOver; ) {
    const part = await jobs.output(job.id, { cursor, maxBytes: 37 });
    expect(part.text).not.toContain("\ufffd");
    text += part.text;
    cursor = part.cursor;
    isOver = part.job.state !== "running" && !part.hasMore;
  }
  const lines = Array.from({ length: 300 }, (_, index) => `ligne ${index + 1}: été 🦉\n`);
  expect(text).toBe(lines.join(""));
});

test("a pattern gives the lines that match, page by page", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command("for i in {1..100}; do echo \"item $i\"; done; printf 'item last'"));
  await place.untilEvent("job-end", job.id);
  const first = await jobs.output(job.id, { pattern: "^item \\d*5$", maxBytes: 20 });
  expect(first).toMatchObject({ text: "item 5\nitem 15\n", hasMore: true });
  const rest = await jobs.output(job.id, { pattern: "^item (\\d*5|last)$", cursor: first.cursor });
  expect(rest.text.split("\n")).toEqual([
    ...[25, 35, 45, 55, 65, 75, 85, 95].map((n) => `item ${n}`),
    "item last",
    "",
  ]);
  expect(rest.hasMore).toBe(false);
});

test("a pattern that would keep a backtracking engine busy for years is answered at once", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command("head -c 50000 /dev/zero | tr '\\0' a; echo b"));
  await place.untilEvent("job-end", job.id);
  expect((await jobs.output(job.id, { pattern: "^(a+)+$" })).text).toBe("");
  await expect(jobs.output(job.id, { pattern: "(\\w{1000}){1000}" })).rejects.toMatchObject({
    code: "invalid-input",
  });
  await expect(jobs.output(job.id, { pattern: "(" })).rejects.toMatchObject({ code: "invalid-input" });
});

test("control sequences are removed, even if they span two parts", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command("printf '12345678\\033[31mred\\033[0m\\033]0;title\\007!\\n'"));
  await place.untilEvent("job-end", job.id);
  let text = "";
  for (let cursor = 0, hasMore = true; hasMore; ) {
    const part = await jobs.output(job.id, { cursor, maxBytes: 10 });
    text += part.text;
    ({ cursor, hasMore } = part);
  }
  expect(text).toBe("12345678red!\n");
});

test("a cursor or size that makes no sense is refused, one past the end reads nothing", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command("echo hi"));
  await place.untilEvent("job-end", job.id);
  for (const request of [{ cursor: -1 }, { cursor: 1.5 }, { cursor: Number.NaN }, { maxBytes: 0 }]) {
    await expect(jobs.output(job.id, request)).rejects.toMatchObject({ code: "invalid-input" });
  }
  expect(await jobs.output(job.id, { cursor: 10 ** 9 })).toMatchObject({ text: "", cursor: 3 });
});

test("an unknown job is refused with its id", async () => {
  const jobs = await (await createJobsPlace()).open();
  expect(() => jobs.get("bg_task_7")).toThrow(expect.objectContaining({ code: "not-found" }));
  await expect(jobs.kill("../../etc")).rejects.toMatchObject({ code: "not-found" });
});

test("kill ends the whole tree, with what left its session", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(
    command(
      "setsid bash -c 'echo $$; exec sleep 1000' & (bash -c 'echo $$; exec sleep 1000' &) ; echo $$; wait; sleep 1000",
    ),
  );
  const pids = await printedNumbers(jobs, job.id, 3);
  expect(await Promise.all(pids.map(isAlive))).toEqual([true, true, true]);
  expect(await jobs.kill(job.id)).toMatchObject({ state: "killed" });
  expect(await Promise.all(pids.map(isAlive))).toEqual([false, false, false]);
  expect(await jobs.kill(job.id)).toMatchObject({ state: "killed" });
});

test("a job whose time is up is ended", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command("exec sleep 1000", { timeoutMs: 300 }));
  const { job: ended } = await place.untilEvent("job-end", job.id);
  expect(ended).toMatchObject({ state: "timed-out", signal: "SIGTERM" });
  expect(await isAlive(job.identity.pid)).toBe(false);
});

test("jobs beyond the number that may run at once are refused, and a job's number is never given twice", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open({ maxLive: 3 });
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => jobs.start(command("sleep 1000"))));
  const refused = all.filter((each) => each.status === "rejected");
  expect(refused).toHaveLength(2);
  expect(refused[0]?.reason).toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("3 background jobs"),
  });
  const [first] = jobs.list();
  await jobs.kill(first!.id);
  expect((await jobs.start(command("sleep 1000"))).id).toBe("bg_task_4");
});

const manyJobs = fuzzRuns({ sample: 15, full: 100 });

test(`${manyJobs} jobs at once start and end`, { timeout: 60_000 }, async () => {
  const place = await createJobsPlace();
  const jobs = await place.open({ maxLive: manyJobs });
  const started = await Promise.all(
    Array.from({ length: manyJobs }, (_, n) => jobs.start(command(`echo ${n}`))),
  );
  expect(new Set(started.map(({ id }) => id)).size).toBe(manyJobs);
  const ended = await Promise.all(started.map(({ id }) => place.untilEvent("job-end", id)));
  expect(ended.every(({ job }) => job.state === "done")).toBe(true);
  const outputs = await Promise.all(started.map(({ id }) => jobs.output(id)));
  expect(outputs.map(({ text }) => text)).toEqual(started.map((_, n) => `${n}\n`));
});

test("a foreground command becomes a job and keeps its output", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const running = await startCommand({
    ...command("echo before; read -t 0.3 <> <(:); echo after"),
    outputFile: join(place.folder, "foreground.txt"),
    maxOutputFileBytes: 10 ** 6,
  });
  const job = jobs.adopt(running, { command: "the command" });
  expect(job).toMatchObject({ id: "bg_task_1", state: "running", identity: running.identity });
  await place.untilEvent("job-end", job.id);
  expect((await jobs.output(job.id)).text).toBe("before\nafter\n");
});

test("closing ends what runs and what was left running, and nothing starts after it", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command("echo $$; exec sleep 1000"));
  const leaving = await jobs.start(command("sleep 1000 & echo $!"));
  const pids = [...(await printedNumbers(jobs, job.id, 1)), ...(await printedNumbers(jobs, leaving.id, 1))];
  await place.untilEvent("job-end", leaving.id);
  expect(await Promise.all(pids.map(isAlive))).toEqual([true, true]);
  await jobs.close();
  expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);
  expect(place.records.get(job.id)).toMatchObject({ state: "killed" });
  await expect(jobs.start(command("true"))).rejects.toMatchObject({ code: "session-closed" });
});

test("a start that is under way when the session closes leaves nothing running", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const starting = jobs.start(command("echo $$; exec sleep 1000"));
  await jobs.close();
  const job = await starting;
  expect(jobs.get(job.id).state).toBe("killed");
  expect(await isAlive(job.identity.pid)).toBe(false);
});

test("a job that prints 100 MB does not take the disk", { timeout: 60_000 }, async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const mark = randomBytes(8).toString("hex");
  const job = await jobs.start(command(`yes ${mark} | head -c 100000000`, { maxOutputFileBytes: 2 ** 20 }));
  expect((await place.untilEvent("job-end", job.id)).job.state).toBe("done");
  expect((await stat(job.outputFile)).size).toBe(2 ** 20);
  expect(await jobs.output(job.id, { cursor: 2 ** 20 - 17 })).toMatchObject({
    cursor: 2 ** 20,
    isCapped: true,
  });
});

test("a job that cannot be started is refused, and leaves no trace but its number", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  await expect(jobs.start(command("true", { directory: "/nowhere/at/all" }))).rejects.toMatchObject({
    code: "not-found",
  });
  await expect(jobs.start(command("a\0b"))).rejects.toMatchObject({ code: "invalid-input" });
  expect(jobs.list()).toEqual([]);
  expect((await jobs.start(command("true"))).id).toBe("bg_task_3");
});

async function printedNumbers(jobs: Jobs, id: string, count: number): Promise<number[]> {
  const pattern = "^\\d+$";
  for (;;) {
    const { text } = await jobs.output(id, { pattern });
    const numbers = text
      .split("\n")
      .filter((line) => line !== "")
      .map(Number);
    if (numbers.length >= count) return numbers;
    expect(jobs.get(id).state === "running" || numbers.length >= count).toBe(true);
  }
}
