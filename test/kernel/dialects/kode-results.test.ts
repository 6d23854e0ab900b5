import { expect, test } from "vitest";
import { openFileSession } from "../../support/open-file-session.ts";

const edit = (path: string, find: string) => ({ path, find, replace: "new" });

test("in the dialect kode, a result's text is its data as JSON, with lengths and constants", async () => {
  const { session } = await openFileSession({ "a.txt": "one\n" }, { dialect: "kode" });
  const written = await session.call("fs_write", { path: "b.txt", content: "two\nlines\n" });
  expect(JSON.parse(written.text)).toEqual({ ok: true, path: "b.txt", bytes: 10, length: 10, lines: 2 });
  const edited = await session.call("fs_edit", { path: "a.txt", old_string: "one", new_string: "three" });
  expect(JSON.parse(edited.text)).toMatchObject({ ok: true, replacements: 1, length: 6 });
});

test("in the dialect kode, edits that fail tell each file's status, and no file is changed", async () => {
  const { session } = await openFileSession({ "a.txt": "one\n", "b.txt": "two\n" }, { dialect: "kode" });
  const edits = [edit("a.txt", "one"), edit("b.txt", "nowhere")];
  const failed = await session.call("fs_multi_edit", { edits });
  expect(failed.status).toBe("failed");
  expect(JSON.parse(failed.text)).toMatchObject({
    ok: false,
    errorType: "runtime",
    results: [
      { path: "a.txt", status: "skipped", replacements: 0 },
      { path: "b.txt", status: "error", replacements: 0, message: expect.stringContaining("b.txt") },
    ],
  });
  expect((await session.call("fs_read", { path: "a.txt" })).data).toMatchObject({ content: "one" });
});
