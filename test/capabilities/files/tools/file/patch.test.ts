import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openFileSession } from "../../../../support/open-file-session.ts";
import { asOrdinaryUser } from "../../as-ordinary-user.ts";
import { snapshot } from "../../snapshot.ts";

const patch = (...lines: string[]) => ({
  patch: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n"),
});

test("file_patch adds, updates, moves and deletes files in one go", async () => {
  const { session, workspace } = await openFileSession({
    "a.txt": "one\ntwo\nthree\n",
    "old.sh": "#!/bin/sh\necho old\n",
    "gone.txt": "gone\n",
    "kept.txt": "kept\n",
  });
  await chmod(join(workspace, "old.sh"), 0o755);
  const result = await session.call(
    "apply_patch",
    patch(
      "*** Add File: new/n.txt",
      "+first",
      "+$& stays",
      "*** Update File: a.txt",
      "@@",
      " one",
      "-two",
      "+2",
      " three",
      "*** Update File: old.sh",
      "*** Move to: bin/new.sh",
      "@@",
      "-echo old",
      "+echo new",
      "*** Update File: kept.txt",
      "*** Move to: moved.txt",
      "*** Delete File: gone.txt",
    ),
  );
  expect(result).toMatchObject({
    status: "done",
    data: {
      files: [
        { path: "new/n.txt", kind: "add" },
        { path: "a.txt", kind: "update", matchedBy: "exact" },
        { path: "old.sh", kind: "update", movedTo: "bin/new.sh" },
        { path: "kept.txt", kind: "update", movedTo: "moved.txt" },
        { path: "gone.txt", kind: "delete" },
      ],
    },
  });
  expect(result.text).toContain("Added new/n.txt.");
  expect(result.text).toContain("Updated old.sh and moved it to bin/new.sh.");
  expect(result.text).toContain("Deleted gone.txt.");
  expect(result.text).toContain("-two\n+2\n");
  expect(Object.keys(await snapshot(workspace))).toEqual([
    "a.txt",
    "bin",
    "bin/new.sh",
    "moved.txt",
    "new",
    "new/n.txt",
  ]);
  expect(await readFile(join(workspace, "new/n.txt"), "utf8")).toBe("first\n$& stays\n");
  expect(await readFile(join(workspace, "bin/new.sh"), "utf8")).toBe("#!/bin/sh\necho new\n");
  expect((await stat(join(workspace, "bin/new.sh"))).mode & 0o777).toBe(0o755);
});

describe("context that does not fit exactly", () => {
  test.each([
    { by: "trailing space", content: "a  \nold\nc\n", expected: "a  \nnew\nc\n" },
    { by: "indentation", content: "    a\n    old\n    c\n", expected: "    a\n    new\n    c\n" },
    { by: "line ends", content: "a\r\nold\r\nc\r\n", expected: "a\r\nnew\r\nc\r\n" },
  ])("is found by $by, and lines that stay are not touched", async ({ content, expected }) => {
    const { session, workspace } = await openFileSession({ "a.txt": content });
    const result = await session.call(
      "file_patch",
      patch("*** Update File: a.txt", "@@", " a", "-old", "+new", " c"),
    );
    expect(result).toMatchObject({ status: "done" });
    expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe(expected);
  });

  test("is found by typographic punctuation, which is told", async () => {
    const { session, workspace } = await openFileSession({ "a.txt": "say “hi” — ok\nold\n" });
    const result = await session.call(
      "file_patch",
      patch("*** Update File: a.txt", "@@", ' say "hi" - ok', "-old", "+new"),
    );
    expect(result).toMatchObject({ status: "done" });
    expect(result.text).toContain(
      "Its context matched only when ignoring the style of quotes, dashes and spaces.",
    );
    expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("say “hi” — ok\nnew\n");
  });
});

test("one file that does not fit leaves every file as it was", async () => {
  const { session, workspace } = await openFileSession({
    "a.txt": "one\n",
    "b.txt": "b\n",
    "d/x": "",
    "s.txt": "s\n",
  });
  await session.call("file_read", { path: "s.txt" });
  await writeFile(join(workspace, "s.txt"), "theirs\n");
  const before = await snapshot(workspace);
  const good = ["*** Add File: new.txt", "+new", "*** Update File: a.txt", "@@", "-one", "+1"];
  const bad = [
    { lines: ["*** Update File: b.txt", "@@", "-c", "+d"], code: "no-match" },
    { lines: ["*** Update File: s.txt", "@@", "-theirs", "+mine"], code: "stale-file" },
    { lines: ["*** Add File: b.txt", "+x"], code: "already-exists" },
    { lines: ["*** Update File: b.txt", "*** Move to: d/x", "@@", "-b", "+B"], code: "already-exists" },
    { lines: ["*** Delete File: gone.txt"], code: "not-found" },
    { lines: ["*** Update File: gone.txt", "@@", "-b", "+B"], code: "not-found" },
    // Found out only when it comes to it, with other files written already.
    { lines: ["*** Delete File: d"], code: "is-directory" },
    { lines: ["*** Add File: f", "+x", "*** Add File: f/g", "+y"], code: "conflict" },
    { lines: ["*** Add File: ../x.txt", "+x"], code: "permission-denied" },
    { lines: ["*** Delete File: ."], code: "invalid-input" },
    { lines: ["*** Frobnicate File: b.txt"], code: "invalid-input" },
  ];
  for (const { lines, code } of bad) {
    const result = await session.call("file_patch", patch(...good, ...lines));
    expect([lines, result.error?.code]).toEqual([lines, code]);
    expect(await snapshot(workspace)).toEqual(before);
  }
  expect(await session.call("file_patch", { patch: "--- a\n+++ b\n" })).toMatchObject({
    error: { code: "invalid-input" },
  });
});

test("a write that fails half-way takes back the moves, deletions and writes before it", async () => {
  await asOrdinaryUser(async () => {
    const { session, workspace } = await openFileSession({
      "a.txt": "one\n",
      "gone.txt": "gone\n",
      "locked/b.txt": "two\n",
    });
    await chmod(join(workspace, "locked"), 0o555);
    const before = await snapshot(workspace);
    const result = await session.call(
      "file_patch",
      patch(
        "*** Update File: a.txt",
        "*** Move to: new/place.txt",
        "@@",
        "-one",
        "+1",
        "*** Delete File: gone.txt",
        "*** Update File: locked/b.txt",
        "@@",
        "-two",
        "+2",
      ),
    );
    const after = await snapshot(workspace);
    await chmod(join(workspace, "locked"), 0o755);
    expect(result).toMatchObject({ status: "failed", error: { code: "access-denied" } });
    expect(after).toEqual(before);
  });
});

test("each path of the patch is decided by itself, where it moves to as well", async () => {
  const { session, workspace } = await openFileSession(
    { "a.txt": "a\n", "closed/b.txt": "b\n" },
    { permissions: { mode: "auto", deny: ["file_patch(closed/**)"] } },
  );
  const before = await snapshot(workspace);
  for (const lines of [
    ["*** Add File: closed/n.txt", "+n"],
    ["*** Delete File: closed/b.txt"],
    ["*** Update File: a.txt", "*** Move to: closed/a.txt", "@@", "-a", "+A"],
    ["*** Add File:\tclosed/n.txt", "+n"],
  ]) {
    expect(await session.call("file_patch", patch(...lines))).toMatchObject({ status: "denied" });
  }
  expect(await session.call("file_patch", patch("*** Add File: .git/hooks/x", "+n"))).toMatchObject({
    error: { code: "approval-needed" },
  });
  expect(await snapshot(workspace)).toEqual(before);
  const { effects } = await session.explain("file_patch", patch("*** Add File:\tx.txt", "+n"));
  expect(effects.writes).toEqual(["x.txt"]);
});
