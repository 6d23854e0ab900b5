import { chmod, mkdir, readdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openLockFolder } from "../../../../src/machine/locks/state-base.ts";
import { createPlaceholders } from "../../../../src/machine/sandbox/protected/placeholders.ts";
import { startChild } from "../../../kernel/store/child.ts";
import { fuzzRuns, seededRandom } from "../../../support/fuzz.ts";
import { needs } from "../../../support/needs.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";
import { pass } from "../../../support/pass.ts";

const script = new URL("child-hold-placeholders.ts", import.meta.url);
const rounds = fuzzRuns({ sample: 2, full: 100 });

beforeEach(async () => {
  vi.stubEnv("XDG_STATE_HOME", await temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
});

test(`processes that are killed at any instant do not keep others from holding placeholders (${rounds} times)`, async () => {
  const folder = await temporaryFolder();
  const random = seededRandom();
  const wanted = { path: join(folder, "a") };
  for (let round = 0; round < rounds; round++) {
    const children = [startChild(script, [folder]), startChild(script, [folder])];
    for (const child of children) await child.nextLine();
    await pass(random() * 10);
    await Promise.all(children.map((child) => child.kill()));
    const placeholders = createPlaceholders();
    expect(await placeholders.hold([wanted])).toEqual([wanted.path]);
    expect(await readdir(folder)).toContain("a");
    await placeholders.release([wanted.path]);
    await placeholders.sweep();
    expect(await readdir(folder)).toEqual([]);
  }
  const leases = await readdir(join(openLockFolder(), "placeholders"));
  // Those of this process alone.
  expect(leases.filter((name) => name.endsWith(".json")).length).toBeLessThanOrEqual(rounds);
}, 300_000);

test("placeholders that another process holds stay, and all do if it cannot be told which it holds", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "a");
  const [one, other] = [createPlaceholders(), createPlaceholders()];
  await one.hold([{ path }]);
  await other.hold([{ path }]);
  await one.release([path]);
  expect(await readdir(folder)).toEqual(["a"]);
  await other.release([path]);
  expect(await readdir(folder)).toEqual([]);

  await one.hold([{ path }]);
  const leases = join(openLockFolder(), "placeholders");
  for (const name of await readdir(leases)) {
    if (name.endsWith(".json")) await writeFile(join(leases, name), "{");
  }
  await other.sweep();
  expect(await readdir(folder)).toEqual(["a"]);
});

test("leases that a process left behind half written are removed", async () => {
  const folder = await temporaryFolder();
  const leases = join(openLockFolder(), "placeholders");
  await mkdir(leases);
  for (const name of ["dead.json", "dead.lock", "dead.new", "lock"]) await writeFile(join(leases, name), "");
  const placeholders = createPlaceholders();
  await placeholders.release(await placeholders.hold([{ path: join(folder, "a") }]));
  expect(await readdir(folder)).toEqual([]);
  await placeholders.sweep();
  expect((await readdir(leases)).filter((name) => name.includes("dead") || name === "lock")).toEqual([]);
});

test("the folder with the locks can be removed, and is used again", async () => {
  const folder = await temporaryFolder();
  const placeholders = createPlaceholders();
  const held = await placeholders.hold([{ path: join(folder, "a") }]);
  await rm(openLockFolder(), { recursive: true });
  const more = await placeholders.hold([{ path: join(folder, "b") }]);
  await placeholders.release([...held, ...more]);
  expect(await readdir(folder)).toEqual([]);
});

test("a lock that cannot be taken fails the command that needs it, and neither its end nor a later command", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "file");
  await writeFile(file, "");
  const wanted = { path: join(folder, "a") };
  const placeholders = createPlaceholders();
  const held = await placeholders.hold([wanted]);
  const [state, temporary] = [process.env.XDG_STATE_HOME!, process.env.TMPDIR];
  vi.stubEnv("XDG_STATE_HOME", file);
  vi.stubEnv("TMPDIR", file);
  await expect(placeholders.hold([{ path: join(folder, "b") }])).rejects.toThrow(/ENOTDIR|EEXIST/);
  await placeholders.release(held);
  vi.stubEnv("XDG_STATE_HOME", state);
  vi.stubEnv("TMPDIR", temporary);
  expect(await placeholders.hold([wanted])).toEqual([wanted.path]);
  await placeholders.release([wanted.path]);
  expect(await readdir(folder)).toEqual(["file"]);
});

const testOnLinux = await needs("linux");
testOnLinux(
  "a folder that was exchanged for a link lets nothing be made, removed or changed elsewhere",
  async () => {
    const folder = await temporaryFolder();
    const outside = await temporaryFolder();
    const inside = join(folder, "inside");
    const placeholders = createPlaceholders();
    const wanted = [
      { path: join(inside, "folder") },
      { path: join(inside, "file"), content: "" },
      { path: join(inside, "full") },
    ];
    const exchange = async () => {
      await rename(inside, join(folder, "moved"));
      await symlink(outside, inside);
    };
    await mkdir(inside);
    await exchange();
    for (const each of wanted) await expect(placeholders.hold([each])).rejects.toThrow("cannot protect");
    expect(await readdir(outside)).toEqual([]);

    await rm(inside);
    await mkdir(inside);
    await rm(join(folder, "moved"), { recursive: true });
    const held = await placeholders.hold(wanted);
    await exchange();
    for (const name of ["folder", "full"]) await mkdir(join(outside, name), { mode: 0o1555 });
    await writeFile(join(outside, "full/mine"), "");
    await writeFile(join(outside, "file"), "");
    await chmod(join(outside, "file"), 0o1444);
    await placeholders.release(held);
    expect((await readdir(outside)).sort()).toEqual(["file", "folder", "full"]);
    expect((await stat(join(outside, "full"))).mode & 0o7777).toBe(0o1555);
  },
);
