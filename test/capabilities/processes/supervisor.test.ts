import { open, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { StartableProgram } from "../../../src/machine/sandbox/sandbox.ts";
import { until } from "../../support/until.ts";
import { command, createJobsPlace, isAlive } from "./jobs-place.ts";

test("closing a session leaves its kept jobs running, and the next one can end them", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const kept = await jobs.start(command("setsid sleep 1000 & echo $!; exec sleep 1001", { keep: true }));
  const other = await jobs.start(command("exec sleep 1000"));
  expect(kept).toMatchObject({ id: "bg_task_1", state: "running", isKept: true });
  await jobs.close();
  expect(await isAlive(kept.identity.pid)).toBe(true);
  expect(await isAlive(other.identity.pid)).toBe(false);

  const again = await place.open();
  await again.waitFor(kept.id, { pattern: "^\\d+$", deadlineMs: 45_000 });
  const escaped = Number((await again.output(kept.id)).text);
  expect(await isAlive(escaped)).toBe(true);
  expect(await again.kill(kept.id)).toMatchObject({ state: "killed", signal: "SIGTERM" });
  expect(await Promise.all([escaped, kept.identity.pid].map(isAlive))).toEqual([false, false]);
});

test("a kept job's end is reported at once to the session that started it", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command("echo out; echo err >&2; exit 4", { keep: true }));
  expect((await place.untilEvent("job-end", job.id)).job).toMatchObject({ state: "failed", exitCode: 4 });
  expect((await jobs.output(job.id)).text.split("\n").sort()).toEqual(["", "err", "out"]);
  expect(place.events.map(({ type }) => type)).toEqual(["job-start", "job-end"]);
});

test("a kept job's time runs out without its session, and its log is bounded", {
  timeout: 60_000,
}, async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(
    command("trap '' TERM; yes | head -c 20000000; exec sleep 1000", {
      keep: true,
      // Gives it time to start, so that it has to be killed by force.
      timeoutMs: 3000,
      maxOutputFileBytes: 100_000,
    }),
  );
  const { job: ended } = await place.untilEvent("job-end", job.id);
  expect(ended).toMatchObject({ state: "timed-out", signal: "SIGKILL" });
  expect((await stat(job.outputFile)).size).toBe(100_000);
  expect(await jobs.output(job.id, { cursor: 99_996 })).toMatchObject({ text: "y\ny\n", isCapped: true });
});

test("processes that a kept job leaves behind end with it", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command("setsid sleep 1000 & echo $!", { keep: true }));
  await place.untilEvent("job-end", job.id);
  expect(await isAlive(Number((await jobs.output(job.id)).text))).toBe(false);
});

test("a kept job that cannot be started is refused with the reason", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const nowhere = command("true", { keep: true, directory: "/nowhere/at/all" });
  await expect(jobs.start(nowhere)).rejects.toMatchObject({
    message: expect.stringContaining("does not exist"),
  });
  await expect(jobs.start(command("true", { keep: true, terminal: true }))).rejects.toMatchObject({
    code: "unsupported",
  });
  expect(jobs.list()).toEqual([]);
});

test("a kept job is wrapped as any other, with the descriptors its wrapping needs", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const secret = join(place.folder, "descriptor.txt");
  await writeFile(secret, "handed on\n");
  const calls: string[] = [];
  const wrap = async (program: StartableProgram) => {
    const [first, second] = [await open(secret), await open(secret)];
    return {
      file: "/bin/sh",
      args: ["-c", 'cat <&4; cat <&5; exec "$0" "$@"', program.file, ...program.args],
      environment: { ...program.environment, WRAPPED: "yes" },
      descriptors: [first.fd, second.fd],
      async release() {
        calls.push("release");
        await Promise.all([first.close(), second.close()]);
      },
      async finish() {
        calls.push("finish");
        return [];
      },
    };
  };
  const job = await jobs.start(
    command("echo $WRAPPED; until [ -e go ]; do sleep 0.02; done", {
      keep: true,
      wrap,
      directory: place.folder,
    }),
  );
  expect(calls).toEqual(["release"]);
  await writeFile(join(place.folder, "go"), "");
  await place.untilEvent("job-end", job.id);
  expect((await jobs.output(job.id)).text).toBe("handed on\nhanded on\nyes\n");
  await until(() => calls.includes("finish"));
  expect(calls).toEqual(["release", "finish"]);
});

test("the sandbox of a kept job that cannot be started is released before it is finished", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const calls: string[] = [];
  const wrap = async (program: StartableProgram) => ({
    ...program,
    descriptors: [],
    release: async () => void calls.push("release"),
    finish: async () => {
      calls.push("finish");
      return [];
    },
  });
  const nowhere = command("true", { keep: true, directory: "/nowhere/at/all", wrap });
  await expect(jobs.start(nowhere)).rejects.toMatchObject({ code: "unavailable" });
  expect(calls).toEqual(["release", "finish"]);
});

test("a supervisor inherits nothing and reveals nothing of its order", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const environment = { ...command("").environment, API_KEY: "0123456789abcdef" };
  const { identity } = await jobs.start(command("exec sleep 1000", { keep: true, environment }));
  const read = (name: string) => readFile(`/proc/${identity.pid}/${name}`, "utf8");
  expect(await read("environ")).toBe("LANG=C\0");
  expect(await read("cmdline")).not.toContain("sleep");
  expect(await readFile(join(place.folder, "jobs/bg_task_1/job.json"), "utf8")).not.toContain(
    "0123456789abcdef",
  );
});
