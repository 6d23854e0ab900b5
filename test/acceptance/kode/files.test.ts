import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createKodeEvents } from "../../../src/capabilities/interop/index.ts";
import { openFileSession } from "../../support/open-file-session.ts";

const openKode = (watchFiles = false) =>
  openFileSession({ "a.txt": "one\n", "b.txt": "one\n" }, { dialect: "kode" }, { watchFiles });

test("K3: every file tool passes the same check of freshness: write, edit and multi-edit alike", async () => {
  const { session, workspace } = await openKode();
  await session.call("fs_read", { path: "a.txt" });
  await writeFile(join(workspace, "a.txt"), "one, from elsewhere\n");
  const calls = {
    fs_write: { path: "a.txt", content: "two\n" },
    fs_edit: { path: "a.txt", old_string: "one", new_string: "two" },
    fs_multi_edit: { edits: [{ path: "a.txt", find: "one", replace: "two" }] },
  };
  for (const [name, input] of Object.entries(calls))
    expect([name, (await session.call(name, input)).error?.code]).toEqual([name, "stale-file"]);
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("one, from elsewhere\n");
});

test("K11: files that the agent itself reads and writes are remembered, so that its next write does not conflict", async () => {
  const { session, workspace } = await openKode();
  const write = async (content: string) =>
    (await session.call("fs_write", { path: "a.txt", content })).status;
  await session.call("fs_read", { path: "a.txt" });
  expect([await write("two\n"), await write("three\n")]).toEqual(["done", "done"]);
  const edit = { path: "a.txt", old_string: "three", new_string: "four" };
  expect((await session.call("fs_edit", edit)).status).toBe("done");
  expect(await write("five\n")).toBe("done");
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("five\n");
});

test("K12: a write is refused where another has changed the file since the agent read it, until it is read again", async () => {
  const { session, workspace } = await openKode();
  const write = () => session.call("fs_write", { path: "a.txt", content: "two\n" });
  await session.call("fs_read", { path: "a.txt" });
  await writeFile(join(workspace, "a.txt"), "from elsewhere\n");
  expect(await write()).toMatchObject({
    status: "failed",
    data: { ok: false },
    error: { code: "stale-file" },
  });
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("from elsewhere\n");
  await session.call("fs_read", { path: "a.txt" });
  expect((await write()).status).toBe("done");
});

test("K13: a session that watches its files tells the monitor channel of a change from outside", async () => {
  const { session, workspace } = await openKode(true);
  await session.call("fs_read", { path: "a.txt" });
  const translate = createKodeEvents();
  const events = session.events();
  await writeFile(join(workspace, "new"), "two\n");
  await rename(join(workspace, "new"), join(workspace, "a.txt"));
  for await (const event of events) {
    const changed = translate(event).find((each) => each.event.type === "file_changed");
    if (changed === undefined) continue;
    expect(changed.event).toMatchObject({ channel: "monitor", path: "a.txt", mtime: expect.any(Number) });
    break;
  }
});
