import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileSession } from "../../../../support/open-file-session.ts";
import { snapshot } from "../../snapshot.ts";

test("file_mkdir makes a folder with its parents, and is content with one that is there", async () => {
  const { session, workspace } = await openFileSession();
  const made = await session.call("file_mkdir", { path: "a/b/..c" });
  expect(made).toMatchObject({ status: "done", text: "The folder a/b/..c exists." });
  expect(Object.keys(await snapshot(workspace))).toEqual(["a", "a/b", "a/b/..c"]);
  const again = await session.call("file_mkdir", { path: "a/b/..c" });
  expect(again).toMatchObject({ status: "done" });
  // There is nothing to take back, least of all a folder that was there before.
  expect(await session.undo(again.callId)).toMatchObject({ status: "failed" });
  expect(Object.keys(await snapshot(workspace))).toEqual(["a", "a/b", "a/b/..c"]);
});

test("without recursive, parents must be there and the folder must not", async () => {
  const { session } = await openFileSession({ "d/a.txt": "a" });
  const make = async (path: string, recursive: boolean) => {
    const { status, error } = await session.call("file_mkdir", { path, recursive });
    return error?.code ?? status;
  };
  expect(await make("x/y", false)).toBe("not-found");
  expect(await make("d", false)).toBe("already-exists");
  expect(await make("d/e", false)).toBe("done");
  expect(await make("d/a.txt", true)).toBe("already-exists");
  expect(await make("d/a.txt/b", true)).toBe("not-a-directory");
  expect(await make(".", true)).toBe("done");
});

test("file_mkdir makes nothing outside, denied or protected", async () => {
  const { session, workspace, base } = await openFileSession(
    {},
    { permissions: { mode: "auto", deny: ["file_mkdir(closed/**)"] } },
  );
  await symlink("..", join(workspace, "up"));
  const before = await snapshot(base);
  const make = async (path: string) => (await session.call("file_mkdir", { path })).error?.code;
  expect(await make("../x")).toBe("permission-denied");
  expect(await make("up/x")).toBe("permission-denied");
  expect(await make("closed/x")).toBe("permission-denied");
  expect(await make(".git/x")).toBe("approval-needed");
  expect(await snapshot(base)).toEqual(before);
});
