import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { isLocked, openKernelLock } from "../../../src/machine/locks/kernel-lock.ts";
import { lockFolders, openLockFolder } from "../../../src/machine/locks/state-base.ts";
import { withUserLock } from "../../../src/machine/locks/user-lock.ts";
import { startChild } from "../../kernel/store/child.ts";
import { fuzzRuns, seededRandom } from "../../support/fuzz.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";
import { pass } from "../../support/pass.ts";

const script = new URL("child-lock.ts", import.meta.url);
const rounds = fuzzRuns({ sample: 3, full: 200 });

beforeEach(async () => {
  vi.stubEnv("XDG_STATE_HOME", await temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
});

const fileOf = () => join(openLockFolder(), "files.lock");
const takeAtOnce = () => withUserLock("files", () => "taken", { patienceMs: 1000 });

test(`a process killed at any instant leaves no lock behind (${rounds} times)`, async () => {
  const random = seededRandom();
  for (let round = 0; round < rounds; round++) {
    const children = [startChild(script, ["take-turns"]), startChild(script, ["take-turns"])];
    for (const child of children) for (let turn = 0; turn < 3; turn++) await child.nextLine();
    await pass(random() * 4);
    await Promise.all(children.map((child) => child.kill()));
    expect(await takeAtOnce()).toBe("taken");
  }
}, 300_000);

test("a lock is held until its holder dies, and who waits for a suspended one is told its pid", async () => {
  const child = startChild(script, ["hold"]);
  const pid = Number(await child.nextLine());
  process.kill(pid, "SIGSTOP");
  expect(isLocked(fileOf())).toBe(true);
  const waiting = withUserLock("files", () => {}, { patienceMs: 50 });
  await expect(waiting).rejects.toMatchObject({ code: "unavailable", retryable: true });
  if (process.platform === "linux") await expect(waiting).rejects.toThrow(`process ${pid} has held`);
  await child.kill();
  expect(await takeAtOnce()).toBe("taken");
  expect(isLocked(fileOf())).toBe(false);
});

test("waiting for a lock ends when the call is cancelled", async () => {
  const other = openKernelLock(fileOf());
  other.take();
  const cancelling = new AbortController();
  const waiting = withUserLock("files", () => {}, { signal: cancelling.signal });
  cancelling.abort(new Error("cancelled"));
  await expect(waiting).rejects.toThrow("cancelled");
  other.close();
});

test.each(["", "what nobody can read".repeat(500)])(
  "a lock that is damaged (%#) is replaced",
  async (text) => {
    await takeAtOnce();
    await writeFile(fileOf(), text);
    expect(await takeAtOnce()).toBe("taken");
    const other = openKernelLock(fileOf());
    expect(other.take()).toBe(true);
    expect(isLocked(fileOf())).toBe(true);
    other.close();
  },
);

test("a process that has opened a lock which is then removed locks the one that others find", async () => {
  const [one, other] = [openKernelLock(fileOf()), openKernelLock(fileOf())];
  expect([one.take(), other.take()]).toEqual([true, false]);
  one.release();
  await rm(fileOf());
  expect([one.take(), other.take()]).toEqual([true, false]);
  one.close();
  expect(other.take()).toBe(true);
  other.close();
});

test("taking a lock writes nothing, so a full disk does not matter", async () => {
  await takeAtOnce();
  const before = await stat(fileOf(), { bigint: true });
  await takeAtOnce();
  expect(await stat(fileOf(), { bigint: true })).toMatchObject({
    mtimeNs: before.mtimeNs,
    size: before.size,
  });
});

test("without a folder for state, locks are among the temporary files; a failure is not remembered", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "file");
  await writeFile(file, "");
  vi.stubEnv("XDG_STATE_HOME", file);
  vi.stubEnv("TMPDIR", folder);
  expect(openLockFolder()).toBe(lockFolders()[1]);
  vi.stubEnv("XDG_STATE_HOME", undefined);
  vi.stubEnv("HOME", join(folder, "no-home"));
  expect(openLockFolder()).toBe(lockFolders()[1]);
  expect(await readdir(folder)).not.toContain("no-home");
  expect(await takeAtOnce()).toBe("taken");
  vi.stubEnv("TMPDIR", file);
  await expect(takeAtOnce()).rejects.toThrow(/ENOTDIR|EEXIST/);
  vi.stubEnv("TMPDIR", folder);
  expect(await takeAtOnce()).toBe("taken");
});
