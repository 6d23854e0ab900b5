import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileSession } from "../../support/open-file-session.ts";

const openPulse = () =>
  openFileSession(
    {
      "a.txt": "one\ntwo\ntwo\nfour\n",
      "src/b.ts": "const alpha = 1;\n// beta\n// gamma\n",
      "src/c.js": "alpha();\n",
      "src/hidden.log": "alpha\n",
      ".gitignore": "*.log\n",
    },
    { dialect: "pulse" },
  );

test("P4: read takes a first line, counted from 0, and a number of lines", async () => {
  const { session } = await openPulse();
  expect(await session.call("read", { filePath: "a.txt", offset: 1, limit: 2 })).toMatchObject({
    status: "done",
    data: { content: "two\ntwo", lines: 2 },
  });
});

test("P5: write makes the folders that are missing, and replaces what was in the file", async () => {
  const { session, workspace } = await openPulse();
  const filePath = join(workspace, "new/deep/x.txt");
  const first = await session.call("write", { filePath, content: "long text" });
  expect(first.data).toEqual({ success: true, created: true, bytes: 9, path: "new/deep/x.txt" });
  const second = await session.call("write", { filePath, content: "é" });
  expect(second.data).toEqual({ success: true, created: false, bytes: 2, path: "new/deep/x.txt" });
  expect(await readFile(filePath, "utf8")).toBe("é");
});

test("P6: edit replaces exactly the given text, and all of its places with replaceAll", async () => {
  const { session, workspace } = await openPulse();
  const edit = (input: object) => session.call("edit", { filePath: "a.txt", ...input });
  expect((await edit({ oldString: "four", newString: "$&4" })).status).toBe("done");
  expect((await edit({ oldString: "two", newString: "2", replaceAll: true })).status).toBe("done");
  expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("one\n2\n2\n$&4\n");
});

test("P7: grep searches as ripgrep does: regular expressions, its file types, nothing that git ignores, no shell", async () => {
  const { session, workspace } = await openPulse();
  const files = async (input: object) =>
    ((await session.call("grep", input)).data as { files: readonly string[] }).files.toSorted();
  expect(await files({ pattern: "alpha|one" })).toEqual(["a.txt", "src/b.ts", "src/c.js"]);
  expect(await files({ pattern: "alpha", type: "ts" })).toEqual(["src/b.ts"]);
  expect(await files({ pattern: "alpha\\(\\)" })).toEqual(["src/c.js"]);
  expect(await files({ pattern: "--files" })).toEqual([]);
  expect(await files({ pattern: "zzz;touch\tPWNED;true" })).toEqual([]);
  expect(await readdir(workspace)).not.toContain("PWNED");
});

test("P8: ls lists a folder", async () => {
  const { session } = await openPulse();
  expect((await session.call("ls", { path: "src" })).data).toEqual({
    path: "src",
    files: ["src/b.ts", "src/c.js", "src/hidden.log"],
    truncated: false,
  });
});

test("P19: read numbers its lines, tells how many there are, and for a folder says to use ls", async () => {
  const { session } = await openPulse();
  const read = await session.call("read", { filePath: "a.txt", offset: 2, limit: 1 });
  expect(read.text).toMatch(/^ *3\ttwo\n/);
  expect(read.data).toMatchObject({ totalLines: 4 });
  expect((await session.call("read", { filePath: "src" })).error).toMatchObject({
    code: "is-directory",
    hint: expect.stringContaining("ls"),
  });
});

test("P20: an old text that occurs twice is refused with what to do, and an edit tells how often it replaced, with a preview", async () => {
  const { session } = await openPulse();
  const edit = (input: object) => session.call("edit", { filePath: "a.txt", newString: "2", ...input });
  const { error } = await edit({ oldString: "two" });
  expect(error).toMatchObject({ code: "ambiguous-match", message: expect.stringContaining("2 times") });
  expect(error?.hint).toMatch(/surrounding lines.*or replace all/);
  expect((await edit({ oldString: "two", replaceAll: true })).data).toEqual({
    success: true,
    path: "a.txt",
    replacements: 2,
    preview: expect.stringContaining("-two\n-two\n+2\n+2\n"),
  });
});

test("P21: grep has its modes, filters, context and pages, and finding nothing is no error", async () => {
  const { session } = await openPulse();
  const grep = async (input: object) => {
    const { status, data } = await session.call("grep", input);
    expect(status).toBe("done");
    return data;
  };
  expect(await grep({ pattern: "alpha" })).toMatchObject({ mode: "files_with_matches" });
  expect(await grep({ pattern: "two", outputMode: "count" })).toMatchObject({
    counts: [{ path: "a.txt", matches: 2 }],
  });
  expect(
    await grep({ pattern: "beta", outputMode: "content", glob: "*.ts", type: "ts", context: 1 }),
  ).toMatchObject({
    matches: [{ path: "src/b.ts", line: 2, text: "// beta" }],
    context: [{ line: 1 }, { line: 3 }],
  });
  expect(await grep({ pattern: "alpha", glob: "*.js" })).toMatchObject({ files: ["src/c.js"] });
  const page = { pattern: "two", outputMode: "content", headLimit: 1 };
  expect(await grep({ ...page, offset: 1 })).toMatchObject({ matches: [{ line: 3 }] });
  expect(await grep({ ...page, offset: 0 })).toMatchObject({ matches: [{ line: 2 }], truncated: true });
  expect(await grep({ pattern: "nowhere" })).toMatchObject({ files: [], total: 0 });
});
