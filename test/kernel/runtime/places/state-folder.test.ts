import { chmod, chown, mkdir, readdir, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openStateFolder, stateFolderOf } from "../../../../src/kernel/runtime/places/state-folder.ts";
import { needs } from "../../../support/needs.ts";
import { openTestSession, temporaryFolder } from "../../../support/open-test-session.ts";

test.each(["", ".", "here/there"])(
  "with HOME=%j the state is in the user's home, never in the workspace",
  (home) => {
    vi.stubEnv("HOME", home);
    vi.stubEnv("XDG_STATE_HOME", "");
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = stateFolderOf("/work");
    expect(folder.startsWith(join(userInfo().homedir, ".local", "state", "toolwright", "work-"))).toBe(true);
  },
);

test("a state folder that others can reach is taken away from them", async () => {
  const base = await temporaryFolder();
  const folder = join(base, "toolwright", "w-1");
  await mkdir(folder, { recursive: true });
  for (const each of [join(base, "toolwright"), folder]) await chmod(each, 0o777);
  await openStateFolder(folder);
  for (const each of [join(base, "toolwright"), folder]) expect((await stat(each)).mode & 0o777).toBe(0o700);
});

test("a store that others can write to is taken away from them, wherever it is", async () => {
  const folder = await temporaryFolder();
  const openAt = async () =>
    (await openTestSession({ store: `sqlite:${join(folder, "store.sqlite")}` })).runtime;
  const before = await openAt();
  for (const name of await readdir(folder)) await chmod(join(folder, name), 0o777);
  await before.close();
  for (const name of await readdir(folder)) await chmod(join(folder, name), 0o777);
  await openAt();
  const found = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))));
  expect(found.length).toBeGreaterThan(4);
  expect(found.filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([]);
});

const testAsRoot = await needs("root");

testAsRoot("a state folder of another user is refused, and so is one in such a folder", async () => {
  const base = await temporaryFolder();
  const folder = join(base, "toolwright", "w-1");
  await mkdir(folder, { recursive: true });
  for (const each of [folder, join(base, "toolwright")]) {
    await chown(each, 54_321, 54_321);
    await expect(openStateFolder(folder)).rejects.toThrow(`${each} belongs to another user (54321)`);
    await chown(each, 0, 0);
  }
  await openStateFolder(folder);
});
