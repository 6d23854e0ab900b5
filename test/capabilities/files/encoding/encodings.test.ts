import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestSession } from "../../../support/open-test-session.ts";

const inEdit = { permissions: { mode: "edit" } } as const;

test("a file in a legacy encoding is read, edited and written back in it when its encoding is told", async () => {
  const { session, workspace } = await openTestSession(inEdit);
  const file = join(workspace, "old.txt");
  await writeFile(file, Buffer.from("caf\xe9 \x80\r\nna\xefve\r\n", "latin1"));
  const refused = await session.call("file_read", { path: "old.txt" });
  expect(refused.error?.code).toBe("not-text");
  const encoding = "windows-1252";
  expect((await session.call("file_read", { path: "old.txt", encoding })).text).toContain("café €");
  const edit = { path: "old.txt", old_string: "café", new_string: "thé", encoding };
  expect((await session.call("file_edit", edit)).status).toBe("done");
  expect((await readFile(file)).toString("latin1")).toBe("th\xe9 \x80\r\nna\xefve\r\n");
});

test("without being told, a file that is not UTF-8 is never written back damaged", async () => {
  const { session, workspace } = await openTestSession(inEdit);
  const bytes = Buffer.from("caf\xe9\n", "latin1");
  await writeFile(join(workspace, "old.txt"), bytes);
  const result = await session.call("file_edit", { path: "old.txt", old_string: "caf", new_string: "x" });
  expect(result.error?.code).toBe("not-text");
  expect(await readFile(join(workspace, "old.txt"))).toEqual(bytes);
});

test("text that an encoding cannot represent is refused, and so is an encoding that does not exist", async () => {
  const { session, workspace } = await openTestSession(inEdit);
  const write = (encoding: string, content: string) =>
    session.call("file_write", { path: "new.txt", content, encoding });
  expect((await write("windows-1252", "日本")).status).toBe("failed");
  expect((await write("klingon", "x")).status).toBe("failed");
  await writeFile(join(workspace, "a.txt"), "x");
  expect((await session.call("file_read", { path: "a.txt", encoding: "klingon" })).error?.code).toBe(
    "invalid-input",
  );
});
