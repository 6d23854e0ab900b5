import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { parsePatch } from "../../../../src/capabilities/files/patch/patch-format.ts";
import { openFileSession } from "../../../support/open-file-session.ts";

const run = promisify(execFile);

test("parseUnifiedDiff reads what git writes: changed, added, deleted and renamed files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-diff-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false", ...args], {
      cwd: folder,
    });
  await git("init", "--quiet");
  const before = { "a.txt": "one\ntwo\nthree\n", "gone.txt": "x\n", "old name.txt": "same\n" };
  for (const [name, text] of Object.entries(before)) await writeFile(join(folder, name), text);
  await git("add", ".");
  await git("commit", "--quiet", "-m", "first");
  await writeFile(join(folder, "a.txt"), "one\n2\nthree\n");
  await writeFile(join(folder, "new.txt"), "made\n");
  await rm(join(folder, "gone.txt"));
  await git("mv", "old name.txt", "new name.txt");
  await git("add", ".");
  const { stdout: diff } = await git("diff", "--cached", "-M");
  expect(
    parsePatch(diff)
      .map(({ kind, path }) => `${kind} ${path}`)
      .sort(),
  ).toEqual(["add new.txt", "delete gone.txt", "update a.txt", "update old name.txt"]);

  const { session, workspace } = await openFileSession();
  for (const [name, text] of Object.entries(before)) await writeFile(join(workspace, name), text);
  const result = await session.call("file_patch", { patch: diff });
  expect(result).toMatchObject({ status: "done" });
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("one\n2\nthree\n");
  expect(await readFile(join(workspace, "new.txt"), "utf8")).toBe("made\n");
  expect(await readFile(join(workspace, "new name.txt"), "utf8")).toBe("same\n");
  await expect(readFile(join(workspace, "gone.txt"))).rejects.toMatchObject({ code: "ENOENT" });
  expect(result.receipt.effects.writes).toHaveLength(5);
});

test("a folder that is called like git's letter stays in the path", () => {
  const diff = "--- a/x.txt\n+++ a/x.txt\n@@ -1 +1 @@\n-1\n+2\n";
  expect(parsePatch(diff)).toMatchObject([{ kind: "update", path: "a/x.txt" }]);
  expect(parsePatch(diff.replace("+++ a", "+++ b"))).toMatchObject([{ path: "x.txt" }]);
});

test("a diff that deletes a file with more in it than it names is refused", async () => {
  const { session, workspace } = await openFileSession();
  await writeFile(join(workspace, "a.txt"), "one\ntwo\n");
  const patch = "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n";
  expect(await session.call("file_patch", { patch })).toMatchObject({ error: { code: "conflict" } });
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("one\ntwo\n");
  const whole = "--- a/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n";
  expect(await session.call("file_patch", { patch: whole })).toMatchObject({ status: "done" });
});

test("a patch may stand in the fence of a Markdown block, and its end may be indented", () => {
  const inner = ["*** Begin Patch", "*** Delete File: a", "  *** End Patch"].join("\n");
  expect(parsePatch(`\`\`\`diff\n${inner}\n\`\`\`\n`)).toEqual([{ kind: "delete", path: "a" }]);
  expect(parsePatch("```\n--- a/x\n+++ b/x\n@@\n-1\n+2\n```")).toMatchObject([{ kind: "update", path: "x" }]);
});
