import { chmod, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { snapshot } from "./snapshot.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

async function previewing(contents: Record<string, string | Uint8Array>) {
  const made = await temporaryWorkspace(contents);
  return { ...made, plan: made.workspace.files({ ...made.scope, mode: "preview" }) };
}

test("a preview touches nothing, is seen by later reads, and gives a diff of it all", async () => {
  const { base, root, plan, files, changes } = await previewing({
    "a.txt": "one\ntwo\n",
    "gone.txt": "gone\n",
    "d/b.txt": "b\n",
    "odd.bin": Buffer.from([0, 1]),
  });
  await symlink("a.txt", join(root, "link"));
  await chmod(join(root, "a.txt"), 0o755);
  const before = await snapshot(base);
  await plan.updateText("link", ({ text }) => text.replace("two", "TWO"));
  await plan.writeText("new/n.txt", "n\n");
  await plan.remove("gone.txt");
  await plan.move("d", "e");
  await plan.writeText("odd.bin", "text\n");
  expect((await plan.readText("a.txt")).text).toBe("one\nTWO\n");
  expect((await plan.readLines("e/b.txt", { firstLine: 1, maxLines: 1 })).lines).toEqual(["b"]);
  expect((await plan.list(".", { recursive: true })).entries.map(({ path }) => path)).toEqual([
    "a.txt",
    "e",
    "e/b.txt",
    "link",
    "new",
    "new/n.txt",
    "odd.bin",
  ]);
  await expect(plan.readText("gone.txt")).rejects.toMatchObject({ code: "not-found" });
  const diff = await plan.preview?.();
  for (const part of [
    "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n",
    "new directory new\n",
    "diff --git a/new/n.txt b/new/n.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new/n.txt\n",
    "+n\n",
    "deleted file mode 100644\n--- a/gone.txt\n+++ /dev/null\n",
    "-gone\n",
    "--- a/d/b.txt\n+++ /dev/null\n",
    "--- /dev/null\n+++ b/e/b.txt\n",
    "Binary files a/odd.bin and b/odd.bin differ\n",
  ]) {
    expect(diff).toContain(part);
  }
  expect(await snapshot(base)).toEqual(before);
  expect(changes.find(({ path }) => path === join(root, "a.txt"))?.after).toMatchObject({ mode: 0o755 });
  expect(files).not.toHaveProperty("preview");
});

test("a preview refuses the changes that would be refused", async () => {
  const { plan, files } = await previewing({ "a.txt": "a", "d/b.txt": "b" });
  await expect(plan.move("a.txt", "d")).rejects.toMatchObject({ code: "already-exists" });
  await expect(plan.remove("d")).rejects.toMatchObject({ code: "is-directory" });
  await expect(plan.writeText("../x", "x")).rejects.toMatchObject({ code: "outside-workspace" });
  await plan.remove("a.txt");
  await expect(plan.updateText("a.txt", () => "x")).rejects.toMatchObject({ code: "not-found" });
  await plan.writeText("a.txt", "again");
  // Planned changes do not count as read or written.
  expect(await files.writeText("a.txt", "A")).toMatchObject({ wasUnread: true });
});

test("the files in a folder whose removal is planned count as gone", async () => {
  const { root, plan, changes } = await previewing({ "d/a.txt": "old" });
  await plan.move("d", "e");
  expect(await plan.writeText("d/a.txt", "new")).toMatchObject({ created: true });
  expect((await plan.readText("e/a.txt")).text).toBe("old");
  expect(changes.at(-1)).toMatchObject({ path: join(root, "d/a.txt"), before: { kind: "missing" } });
});

test("a preview shows what an undo would do", async () => {
  const { root, files, workspace, scope, changes } = await previewing({ "a.txt": "a\n" });
  await files.writeText("a.txt", "A\n");
  const made = [...changes];
  const before = await snapshot(root);
  const planned = await workspace.revert(made, { ...scope, mode: "preview" });
  expect(await snapshot(root)).toEqual(before);
  expect(planned).toMatchObject([{ path: join(root, "a.txt"), after: made[0]?.before }]);
});
