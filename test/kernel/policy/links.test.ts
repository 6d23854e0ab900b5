import { lstat, mkdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openRuntime } from "../../../src/index.ts";
import { needs } from "../../support/needs.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

test("deleting, moving and copying act on a link itself, wherever it leads", async () => {
  const outside = await temporaryFolder();
  await writeFile(join(outside, "kept.txt"), "kept");
  const { session, workspace } = await openTestSession({ permissions: { mode: "edit" } });
  await symlink(join(outside, "kept.txt"), join(workspace, "out"));
  expect((await session.call("file_read", { path: "out" })).status).toBe("denied");
  expect((await session.call("file_write", { path: "out", content: "x" })).status).toBe("denied");
  expect((await session.call("file_move", { source: "out", destination: "moved" })).status).toBe("done");
  expect(await readlink(join(workspace, "moved"))).toBe(join(outside, "kept.txt"));
  expect((await session.call("file_copy", { source: "moved", destination: "copied" })).status).toBe("done");
  expect(await readlink(join(workspace, "copied"))).toBe(join(outside, "kept.txt"));
  const { callId } = await session.call("file_delete", { path: "moved" });
  await expect(lstat(join(workspace, "moved"))).rejects.toThrow("ENOENT");
  expect((await session.undo(callId)).status).toBe("done");
  expect(await readlink(join(workspace, "moved"))).toBe(join(outside, "kept.txt"));
  expect((await lstat(join(outside, "kept.txt"))).isFile()).toBe(true);
});

const testInside = await needs("bubblewrap");
testInside(
  "a rule that names a path by a link binds what the link leads to, by any name and any tool",
  async () => {
    const workspace = temporaryFolder();
    await mkdir(join(workspace, "real"));
    await symlink("real", join(workspace, "link"));
    await writeFile(join(workspace, "real/a.txt"), "kept");
    const write = `f="real/a"; echo changed > "$f.txt"; echo changed > "real/$(echo new).txt"`;
    for (const denied of ["Edit(link/a.txt), Edit(link/new.txt)", "Edit(link/**)"]) {
      const runtime = await openRuntime({
        workspace,
        store: "memory:",
        sandbox: "required",
        permissions: { mode: "auto", deny: denied.split(", ") },
      });
      onTestFinished(() => runtime.close());
      const session = await runtime.openSession();
      for (const path of ["link/a.txt", "real/a.txt", "real/new.txt"])
        expect(await session.call("file_write", { path, content: "changed" })).toMatchObject({
          status: "denied",
          error: { code: "permission-denied" },
        });
      await session.call("shell_run", { command: write });
      expect(await readFile(join(workspace, "real/a.txt"), "utf8")).toBe("kept");
      await expect(lstat(join(workspace, "real/new.txt"))).rejects.toThrow("ENOENT");
    }
  },
);
