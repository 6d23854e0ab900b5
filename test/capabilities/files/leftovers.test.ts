import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileSession } from "../../support/open-file-session.ts";

const old = `.toolwright-${"0".repeat(24)}`;
const recent = `.toolwright-${"1".repeat(24)}`;
const theirs = ".toolwright-notes";

async function openAfterKill() {
  const opened = await openFileSession({ [old]: "KEY=1", [recent]: "KEY=2", [theirs]: "", "a.txt": "a" });
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const name of [old, theirs]) await utimes(join(opened.workspace, name), longAgo, longAgo);
  return opened;
}

test("the temporary file of a killed writer is not listed or found, and only touched once a person allows it", async () => {
  const { session } = await openAfterKill();
  const [list, glob, grep] = await Promise.all([
    session.call("file_list", { path: "." }),
    session.call("search_glob", { pattern: "**" }),
    session.call("search_grep", { pattern: "KEY" }),
  ]);
  for (const { status, text } of [list, glob, grep]) {
    expect(status).toBe("done");
    expect(text).not.toContain(recent);
  }
  const denied = { status: "denied", error: { code: "approval-needed" } };
  expect(await session.call("file_read", { path: recent })).toMatchObject(denied);
  expect(await session.call("file_write", { path: recent, content: "x" })).toMatchObject(denied);
});

test("the temporary file of a writer killed an hour ago goes with the next write to the folder", async () => {
  const { session, workspace } = await openAfterKill();
  await session.call("file_write", { path: "b.txt", content: "b" });
  expect((await readdir(workspace)).sort()).toEqual([recent, theirs, "a.txt", "b.txt"]);
});
