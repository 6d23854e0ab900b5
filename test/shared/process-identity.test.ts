import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { askPs, identityOf, isRunning, ownIdentity } from "../../src/shared/process-identity.ts";
import { needs } from "../support/needs.ts";

test("a process is known by its number and its start, and by nothing less", async () => {
  const own = await ownIdentity();
  expect(own).toEqual({ pid: process.pid, startedAt: expect.stringMatching(/./) });
  expect(await isRunning(own)).toBe(true);
  expect(await isRunning({ ...own, startedAt: "another time" })).toBe(false);
  expect(await isRunning({ ...own, startedAt: "" })).toBe(false);
});

test("a process that has ended does not run, even if its parent has not noticed", async () => {
  // The shell becomes a program that never asks what became of its child.
  const parent = spawn("bash", ["-c", "sleep 0.2 & echo $!; exec sleep 1000"]);
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const identity = await identityOf(Number(line.toString()));
  expect(identity.startedAt).not.toBe("");
  await expect.poll(() => isRunning(identity), { timeout: 45_000 }).toBe(false);
  expect((await identityOf(identity.pid)).startedAt).toBe(identity.startedAt);
});

const testWithPs = await needs("ps");

testWithPs("ps tells the same process by the same start", async () => {
  const own = await askPs(process.pid);
  expect(own).toMatchObject({ startedAt: expect.stringMatching(/ \d\d:\d\d:\d\d \d{4}$/), isOver: false });
  expect(await askPs(process.pid)).toEqual(own);
  await expect(askPs(2 ** 22 + 1)).rejects.toThrow();
});
