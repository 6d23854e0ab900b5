import { rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestSession } from "../../support/open-test-session.ts";

test("a file that was read and then changes outside is reported, once for each new content", async () => {
  const { session, workspace } = await openTestSession(
    { permissions: { mode: "edit" } },
    { watchFiles: true },
  );
  const file = join(workspace, "a.txt");
  for (const name of ["a.txt", "b.txt", "unread.txt"]) await writeFile(join(workspace, name), "one\n");
  for (const path of ["a.txt", "b.txt"]) await session.call("file_read", { path });
  const changes = session.events({ channels: ["monitor"] });
  const next = async () => {
    for await (const event of { [Symbol.asyncIterator]: () => ({ next: () => changes.next() }) }) {
      if (event.type === "file-change") return { path: event.path, kind: event.kind };
    }
  };
  await writeFile(join(workspace, "unread.txt"), "two\n");
  await replaceFile(file, "two\n");
  expect(await next()).toEqual({ path: "a.txt", kind: "changed" });
  await utimes(file, new Date(), new Date());
  await replaceFile(join(workspace, "b.txt"), "two\n");
  expect(await next()).toEqual({ path: "b.txt", kind: "changed" });
  await rm(file);
  expect(await next()).toEqual({ path: "a.txt", kind: "deleted" });
  await session.close();
});

test("the session's own writes are not reported", async () => {
  const { session, workspace } = await openTestSession(
    { permissions: { mode: "edit" } },
    { watchFiles: true },
  );
  await writeFile(join(workspace, "a.txt"), "one\n");
  await session.call("file_read", { path: "a.txt" });
  await session.call("file_edit", { path: "a.txt", old_string: "one", new_string: "two" });
  const events = session.events({ channels: ["monitor"] });
  await writeFile(join(workspace, "a.txt"), "three\n");
  const seen: unknown[] = [];
  for await (const event of events) {
    if (event.type === "file-change") seen.push(event.kind);
    if (seen.length > 0) break;
  }
  const { text } = await session.call("file_edit", {
    path: "a.txt",
    old_string: "three",
    new_string: "four",
  });
  expect(seen).toEqual(["changed"]);
  expect(text).toContain("-two");
  expect(text).toContain("+three");
});

/** Writes atomically: a file written in place is empty for a moment, which would be reported as another change. */
async function replaceFile(path: string, content: string): Promise<void> {
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
}
