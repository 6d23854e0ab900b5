import { lstat, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
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
