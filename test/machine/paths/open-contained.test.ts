import { execFile } from "node:child_process";
import { lstat, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { locateByIdentity, openContained } from "../../../src/machine/paths/open-contained.ts";
import { temporaryWorkspace } from "../../capabilities/files/temporary-workspace.ts";

const anywhere = { shownPath: "shown", mayOpen: () => true };

test("openContained opens neither a link to a file nor one to a folder at the end of a path", async () => {
  const { root } = await temporaryWorkspace({ "a.txt": "a", "sub/b.txt": "b" });
  await symlink("a.txt", join(root, "file"));
  await symlink("sub", join(root, "directory"));
  const conflict = { code: "conflict", retryable: true, message: expect.stringContaining("shown") };
  await expect(openContained(join(root, "file"), { ...anywhere, kind: "file" })).rejects.toMatchObject(
    conflict,
  );
  await expect(
    openContained(join(root, "directory"), { ...anywhere, kind: "directory" }),
  ).rejects.toMatchObject(conflict);
});

test("openContained refuses a pipe and a directory in place of a file, without waiting", async () => {
  const { root } = await temporaryWorkspace();
  await promisify(execFile)("mkfifo", [join(root, "pipe")]);
  await expect(openContained(join(root, "pipe"), { ...anywhere, kind: "file" })).rejects.toMatchObject({
    code: "not-a-file",
  });
  await expect(openContained(root, { ...anywhere, kind: "file" })).rejects.toMatchObject({
    code: "is-directory",
  });
});

test("locateByIdentity tells, without /proc, whether a path still leads to the opened file", async () => {
  const { root, outside } = await temporaryWorkspace({ "sub/a.txt": "a" });
  const canonical = join(root, "sub/a.txt");
  const stats = await lstat(canonical, { bigint: true });
  expect(await locateByIdentity({ canonical, stats })).toEqual({ canonical, path: canonical });

  await rename(join(root, "sub"), join(outside, "sub"));
  await symlink(join(outside, "sub"), join(root, "sub"));
  expect(await locateByIdentity({ canonical, stats })).toBeUndefined();

  await rename(join(root, "sub"), join(root, "old"));
  expect(await locateByIdentity({ canonical, stats })).toBeUndefined();
  await writeFile(join(root, "other"), "a");
  expect(await locateByIdentity({ canonical: join(root, "other"), stats })).toBeUndefined();
});
