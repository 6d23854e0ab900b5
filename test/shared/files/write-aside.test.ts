import { lstat, mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { writeAside } from "../../../src/shared/files/write-aside.ts";
import { startChild } from "../../kernel/store/child.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { asideWriters } from "./aside-writers.ts";

const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
const another = "theirs.json.new_mi0x2k9f3a9c1b7d2e4f";

test("a draft that a killed process left could not be read by other users, and goes with the next write", async () => {
  const folder = temporaryFolder();
  vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
  const child = startChild(new URL("child-write-aside.ts", import.meta.url), [folder]);
  expect(await child.nextLine()).toBe("written");
  await child.kill();
  for (const [name, write] of Object.entries(asideWriters(folder))) {
    const place = join(folder, name);
    const [left = ""] = await draftsIn(place);
    expect(left, name).not.toBe("");
    if (!name.startsWith("project")) expect((await stat(join(place, left))).mode & 0o777, name).toBe(0o600);
    await writeFile(join(place, another), "of a process that is writing it");
    // Too young to tell, then old enough.
    await write();
    expect((await draftsIn(place)).sort(), name).toEqual([left, another].sort());
    await utimes(join(place, left), longAgo, longAgo);
    await write();
    expect(await draftsIn(place), name).toEqual([another]);
  }
});

async function draftsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.includes("new_"));
}

test("a file that only looks like a draft is not removed", async () => {
  const folder = temporaryFolder();
  const others = ["a.new", "new_york", "a.new_york_times_of_today", "b.new_mi0x2k9f3a9c1b7d2e4f.txt"];
  for (const name of others) await writeFile(join(folder, name), "");
  const inner = join(folder, another);
  await mkdir(inner);
  for (const name of [...others, another]) await utimes(join(folder, name), longAgo, longAgo);
  await writeAside(join(folder, "file"), "whole");
  expect((await readdir(folder)).sort()).toEqual(["file", another, ...others].sort());
  expect((await lstat(inner)).isDirectory()).toBe(true);
});

test("a write that fails leaves no draft", async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, "taken"));
  await expect(writeAside(join(folder, "taken"), "text")).rejects.toThrow("EISDIR");
  expect(await readdir(folder)).toEqual(["taken"]);
});
