import { symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import fileList from "../../../../../src/capabilities/files/tools/file/list.ts";
import { builtinTools } from "../../../../../src/capabilities.ts";
import { temporaryWorkspace } from "../../temporary-workspace.ts";
import { runTool } from "./run-tool.ts";

test("file_list lists the workspace, one readable line per entry", async () => {
  const { root, files } = await temporaryWorkspace({ "sub/deep.txt": "", "a.txt": "abc" });
  await symlink("a.txt", join(root, "link"));
  await utimes(join(root, "a.txt"), 1_000_000_000, 1_000_000_000);
  await utimes(join(root, "sub"), 1_000_000_000, 1_000_000_000);
  const { text, data } = await runTool(fileList, {}, { files });
  expect(text).toMatch(
    /^a\.txt {2}\(3 bytes, 2001-09-09 01:46:40\)\nlink -> a\.txt {2}\(link, .*\)\nsub\/ {2}\(2001-09-09 01:46:40\)$/,
  );
  expect(data).toMatchObject({
    path: ".",
    truncated: false,
    entries: [
      { name: "a.txt", path: "a.txt", type: "file", size: 3, mtime: "2001-09-09T01:46:40.000Z" },
      { name: "link", type: "link", linkTarget: "a.txt" },
      { name: "sub", type: "directory" },
    ],
  });
});

test("file_list lists entries further down when told to", async () => {
  const { files } = await temporaryWorkspace({ "sub/deep/a.txt": "" });
  const { data } = await runTool(fileList, { path: "sub", recursive: true }, { files });
  expect(data).toMatchObject({ path: "sub", entries: [{ path: "sub/deep" }, { path: "sub/deep/a.txt" }] });
});

test("file_list says that an empty directory is empty", async () => {
  const { files } = await temporaryWorkspace();
  expect((await runTool(fileList, {}, { files })).text).toBe(". is empty");
});

test("file_list stops after 1,000 entries and says how to go on", async () => {
  const names = Array.from({ length: 1001 }, (_, index) => [`f${String(index).padStart(4, "0")}`, ""]);
  const { files } = await temporaryWorkspace(Object.fromEntries(names));
  const { text, data } = await runTool(fileList, {}, { files });
  expect(data).toMatchObject({ truncated: true });
  expect(text.split("\n")).toHaveLength(1001);
  expect(text.split("\n").at(-1)).toContain("(Showing 1-1000. Continue with offset=1000.)");
});

test("file_list keeps a name with a line break on one line", async () => {
  const { files } = await temporaryWorkspace({ "a\nb": "" });
  const { text } = await runTool(fileList, {}, { files });
  expect(text).toMatch(/^"a\\nb" {2}\(0 bytes/);
});

test("file_list is among the tools that every runtime has", () => {
  expect(builtinTools.map(({ name }) => name)).toEqual(expect.arrayContaining(["file_read", "file_list"]));
});
