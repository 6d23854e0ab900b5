import { execFile } from "node:child_process";
import { mkdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryWorkspace } from "../temporary-workspace.ts";

test("a directory listing gives every entry with its path, type, size and time, sorted by name", async () => {
  const { root, files } = await temporaryWorkspace({
    "sub/b.txt": "bb",
    "sub/B.txt": "b",
    "sub/a/deep.txt": "",
  });
  await utimes(join(root, "sub/b.txt"), 1_000_000_000, 1_000_000_000);
  await promisify(execFile)("mkfifo", [join(root, "sub/pipe")]);
  const listing = await files.list("sub/");
  expect(listing).toMatchObject({ path: "sub", truncated: false });
  expect(listing.entries.map(({ name, type }) => [name, type])).toEqual([
    ["B.txt", "file"],
    ["a", "directory"],
    ["b.txt", "file"],
    ["pipe", "other"],
  ]);
  expect(listing.entries[2]).toEqual({
    name: "b.txt",
    path: "sub/b.txt",
    type: "file",
    sizeBytes: 2,
    modifiedAt: "2001-09-09T01:46:40.000Z",
  });
});

test("a directory listing gives each directory before what is in it when it goes deep", async () => {
  const { files } = await temporaryWorkspace({ "a/x.txt": "", "a/b/y.txt": "", "c.txt": "" });
  const { entries } = await files.list(".", { recursive: true });
  expect(entries.map(({ path }) => path)).toEqual(["a", "a/b", "a/b/y.txt", "a/x.txt", "c.txt"]);
});

test("a directory listing shows links, dangling ones too, and never goes through them", async () => {
  const { root, outside, files } = await temporaryWorkspace({ "a/x.txt": "" });
  await writeFile(join(outside, "secret.txt"), "secret");
  await symlink(outside, join(root, "a/out"));
  await symlink("nowhere", join(root, "dangling"));
  await symlink("..", join(root, "a/up"));
  const { entries } = await files.list(".", { recursive: true });
  expect(entries.map(({ path, type, linkTarget }) => [path, type, linkTarget])).toEqual([
    ["a", "directory", undefined],
    ["a/out", "link", outside],
    ["a/up", "link", ".."],
    ["a/x.txt", "file", undefined],
    ["dangling", "link", "nowhere"],
  ]);
});

test("a directory listing stops at the number of entries that was asked for, and says so", async () => {
  const { files } = await temporaryWorkspace({ "a/1": "", "a/2": "", "b/3": "" });
  const five = await files.list(".", { recursive: true, maxEntries: 5 });
  expect(five).toMatchObject({ truncated: false });
  const four = await files.list(".", { recursive: true, maxEntries: 4 });
  expect(four.truncated).toBe(true);
  expect(four.entries.map(({ path }) => path)).toEqual(["a", "a/1", "a/2", "b"]);
});

test("a directory listing says when one directory alone has too many entries", async () => {
  const contents = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`f${index}`, ""]));
  const { files } = await temporaryWorkspace(contents);
  expect(await files.list(".", { maxEntries: 64 })).toMatchObject({ truncated: true });
  expect(await files.list(".", { maxEntries: 65 })).toMatchObject({ truncated: false });
});

test("a directory listing follows a link that it was asked to list, if that stays inside", async () => {
  const { root, files } = await temporaryWorkspace({ "a/x.txt": "" });
  await symlink("a", join(root, "link"));
  expect(await files.list("link")).toMatchObject({ path: "a", entries: [{ path: "a/x.txt" }] });
});

test("a directory listing refuses a file, and a missing directory", async () => {
  const { files } = await temporaryWorkspace({ "a.txt": "" });
  await expect(files.list("a.txt")).rejects.toMatchObject({ code: "not-a-directory" });
  await expect(files.list("missing")).rejects.toMatchObject({ code: "not-found" });
});

test("a directory listing goes on when entries vanish while it lists", async () => {
  const { root, files } = await temporaryWorkspace({ "stays/a.txt": "" });
  let busy = true;
  const churn = async () => {
    while (busy) {
      await mkdir(join(root, "goes/deep"), { recursive: true });
      await rm(join(root, "goes"), { recursive: true, force: true });
    }
  };
  const churning = churn();
  try {
    for (let round = 0; round < 200; round++) {
      const { entries } = await files.list(".", { recursive: true });
      expect(entries.map(({ path }) => path)).toContain("stays/a.txt");
    }
  } finally {
    busy = false;
    await churning;
  }
});
