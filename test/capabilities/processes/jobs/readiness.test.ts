import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../support/free-port.ts";
import { command, createJobsPlace } from "../jobs-place.ts";

test.each(["127.0.0.1", "::1"])("a job is ready when its port on %s is open", async (host) => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const port = await freePort(host);
  const job = await jobs.start(command("exec sleep 1000"));
  const waiting = jobs.waitFor(job.id, { port, deadlineMs: 45_000 });
  const server = createServer().listen(port, host);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  expect(await waiting).toMatchObject({
    isReady: true,
    reason: `port ${port} is open`,
    job: { id: job.id, state: "running" },
  });
});

test("a real server is waited for", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const port = await freePort();
  const job = await jobs.start(
    command(`exec '${process.execPath}' -e 'require("http").createServer().listen(${port}, "127.0.0.1")'`),
  );
  expect(await jobs.waitFor(job.id, { port, deadlineMs: 15_000 })).toMatchObject({ isReady: true });
});

test("a job is ready when it prints a matching line, or has printed it before", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(
    command("echo starting; sleep 0.2; printf '\\033[32mListening\\033[0m on :80\\n'; exec sleep 1000"),
  );
  const wish = { pattern: "^Listening on", deadlineMs: 45_000 };
  expect(await jobs.waitFor(job.id, wish)).toMatchObject({
    isReady: true,
    reason: "it printed: Listening on :80",
  });
  expect(await jobs.waitFor(job.id, wish)).toMatchObject({ isReady: true });
});

test("a line without an end counts once nothing is added to it", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command("printf 'rea'; sleep 0.6; printf 'dy> '; exec sleep 1000"));
  expect(await jobs.waitFor(job.id, { pattern: "^ready> $", deadlineMs: 45_000 })).toMatchObject({
    isReady: true,
  });
});

test("the wait ends with the job, after a last look at what it printed", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const failing = await jobs.start(command("sleep 0.2; exit 1"));
  expect(await jobs.waitFor(failing.id, { pattern: "ready", port: 1, deadlineMs: 60_000 })).toMatchObject({
    isReady: false,
    reason: "it ended before it was ready",
    job: { state: "failed", exitCode: 1 },
  });
  const quick = await jobs.start(command("sleep 0.1; printf ready"));
  expect(await jobs.waitFor(quick.id, { pattern: "ready", deadlineMs: 60_000 })).toMatchObject({
    isReady: true,
  });
});

test("the wait ends at its deadline, and when its caller gives up; the job goes on", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command("exec sleep 1000"));
  const began = performance.now();
  expect(await jobs.waitFor(job.id, { pattern: "never", port: 1, deadlineMs: 300 })).toMatchObject({
    isReady: false,
    reason: "it was not ready within 300 ms",
    job: { state: "running" },
  });
  expect(performance.now() - began).toBeGreaterThan(290);
  const controller = new AbortController();
  const waiting = jobs.waitFor(job.id, { pattern: "never", deadlineMs: 60_000, signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  expect(jobs.get(job.id).state).toBe("running");
});

test("waiting for a job without a condition, or with one that makes no sense, is refused", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command("exec sleep 1000"));
  const wishes = [
    { deadlineMs: 100 },
    { port: 0, deadlineMs: 100 },
    { port: 70_000, deadlineMs: 100 },
    { port: 80, deadlineMs: 0 },
    { pattern: "(", deadlineMs: 45_000 },
  ];
  for (const wish of wishes) {
    await expect(jobs.waitFor(job.id, wish)).rejects.toMatchObject({ code: "invalid-input" });
  }
});
