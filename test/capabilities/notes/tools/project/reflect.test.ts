import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stateFolderOf } from "../../../../../src/kernel/runtime/places/state-folder.ts";
import { openTestSession, temporaryFolder } from "../../../../support/open-test-session.ts";

test("a note is found by a later session, without its secrets, and brings along what it was tainted by", async () => {
  const workspace = await temporaryFolder();
  const { session, runtime } = await openTestSession({ workspace, dialect: "canonical" });
  const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  await session.call("reflect", { note: `The build needs Java; token=${secret}`, tags: ["build"] });
  const { session: later } = await openTestSession({ workspace: runtime.workspace, dialect: "canonical" });
  const found = await later.call("project_reflect", { query: "how to build" });
  expect(found.text).toContain("The build needs Java");
  expect(found.text).not.toContain(secret);
  expect(await later.call("project_reflect", { query: "deploy" })).toMatchObject({
    text: "No notes were found.",
  });
  expect(later.taint.list()).toEqual([]);

  const file = join(stateFolderOf(runtime.workspace), "notes.json");
  const [note] = JSON.parse(await readFile(file, "utf8"));
  const taint = [{ kind: "web", name: "example.com" }];
  await writeFile(file, JSON.stringify([{ ...note, taint }]));
  await later.call("project_reflect", { query: "build" });
  expect(later.taint.list()).toEqual(taint);
});
