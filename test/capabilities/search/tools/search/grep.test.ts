import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import searchGrep from "../../../../../src/capabilities/search/tools/search/grep.ts";
import { runTool } from "../../../../../src/testing/run-tool.ts";
import { openFileSession } from "../../../../support/open-file-session.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";
import { temporaryTree } from "./temporary-tree.ts";

const four = { "a.txt": "foo 1\nbar\nfoo 2\n", "b/c.txt": "a foo, a foo\nfoo 4\n" };

test("search_grep shows the matching lines, marked", async () => {
  const workspace = await temporaryTree(four);
  const { text, data } = await runTool(searchGrep, { pattern: "foo" }, { workspace });
  expect(text).toBe(
    "a.txt:1:>>foo<< 1\na.txt:3:>>foo<< 2\nb/c.txt:1:a >>foo<<, a >>foo<<\nb/c.txt:2:>>foo<< 4",
  );
  expect(data).toMatchObject({ mode: "content", pattern: "foo", path: ".", total: 4, truncated: false });
});

test("search_grep shows lines around matches as asked, and where some are left out", async () => {
  const workspace = await temporaryTree({ "a.txt": "1\nfoo\n3\n4\n5\nfoo\n7\n" });
  const show = async (input: object) =>
    (await runTool(searchGrep, { pattern: "foo", ...input }, { workspace })).text.split("\n");
  const match = (line: number) => `a.txt:${line}:>>foo<<`;
  expect(await show({ context: 1 })).toEqual([
    "a.txt-1-1",
    match(2),
    "a.txt-3-3",
    "--",
    "a.txt-5-5",
    match(6),
    "a.txt-7-7",
  ]);
  expect(await show({ before: 1 })).toEqual(["a.txt-1-1", match(2), "--", "a.txt-5-5", match(6)]);
  expect(await show({ after: 1 })).toEqual([match(2), "a.txt-3-3", "--", match(6), "a.txt-7-7"]);
  expect(await show({ context: 1, after: 0 })).toEqual(["a.txt-1-1", match(2), "--", "a.txt-5-5", match(6)]);
});

test("search_grep shows no line that was not asked for, however few match", async () => {
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`);
  const workspace = await temporaryTree({ "a.txt": lines.join("\n") });
  for (const input of [{}, { context: 0 }, { before: 0 }, { after: 0 }]) {
    for (const [pattern, total] of [
      ["line 150$", 1],
      ["line (50|250)$", 2],
      ["line (5|50|150|250)$", 4],
    ] as const) {
      const { text, data } = await runTool(searchGrep, { pattern, ...input }, { workspace });
      expect(text.split("\n")).toHaveLength(total);
      expect(data).toMatchObject({ total });
      expect(data).not.toHaveProperty("context");
    }
  }
});

test("search_grep keeps the lines around matches apart from the matches in the data", async () => {
  const workspace = await temporaryTree({ "a.txt": "1\nfoo\n3\n4\n5\nfoo\n7\n", "b.txt": "foo\n2\n" });
  const { data } = await runTool(searchGrep, { pattern: "foo", context: 1 }, { workspace });
  const places = (found: unknown) =>
    (found as { path: string; line: number }[]).map(({ path, line }) => `${path}:${line}`);
  const { matches, context, total } = data as { matches: unknown; context: unknown; total: number };
  expect(places(matches)).toEqual(["a.txt:2", "a.txt:6", "b.txt:1"]);
  expect(places(context)).toEqual(["a.txt:1", "a.txt:3", "a.txt:5", "a.txt:7", "b.txt:2"]);
  expect(total).toBe(8);
});

test("a page beyond the last result says how many there are", async () => {
  const workspace = await temporaryTree(four);
  for (const [output_mode, note] of [
    ["content", "(There are only 4 results, so there is nothing at offset=9.)"],
    ["files_with_matches", "(There are only 2 results, so there is nothing at offset=9.)"],
  ]) {
    const { text } = await runTool(searchGrep, { pattern: "foo", output_mode, offset: 9 }, { workspace });
    expect(text).toBe(note);
  }
});

test("search_grep names the parameter to correct, and what to set it to", async () => {
  const workspace = await temporaryTree(four);
  const failureOf = (input: object) => runTool(searchGrep, { pattern: "foo", ...input }, { workspace });
  await expect(failureOf({ type: "tsx" })).rejects.toMatchObject({
    code: "invalid-input",
    message: 'ripgrep has no file type "tsx"',
    hint: expect.stringMatching(
      /^Set type to ts or typescript, or leave it out and set glob\. Known types: ada/,
    ),
  });
  await expect(failureOf({ type: "rost", output_mode: "count" })).rejects.toMatchObject({
    hint: expect.stringContaining("Set type to rst or rust, or leave it out"),
  });
  await expect(failureOf({ glob: "../*.ts" })).rejects.toMatchObject({
    message: "$.glob: the pattern ../*.ts contains .., so it matches nothing",
  });
  await expect(failureOf({ pattern: "a\\nb" })).rejects.toMatchObject({
    message: 'ripgrep rejected the pattern: the literal "\\n" is not allowed in a regex',
    hint: "Set multiline, so that a match can span lines.",
  });
  await expect(failureOf({ pattern: "(?=a)" })).rejects.toMatchObject({
    message: expect.not.stringContaining("--pcre2"),
    hint: expect.stringContaining("without look-around"),
  });
  await expect(failureOf({ pattern: "(" })).rejects.toMatchObject({
    hint: "Correct the pattern, or set literal to search for it as plain text.",
  });
  const { text } = await failureOf({ glob: "*.py", type: "py" });
  expect(text).toBe("No matches for foo in .\n(Searched only files that match *.py and of type py.)");
});

test("search_grep cuts lines over 500 characters around the match, with a count", async () => {
  const workspace = await temporaryTree({ "a.txt": `${"a".repeat(1000)}foo${"b".repeat(1000)}` });
  const { text } = await runTool(searchGrep, { pattern: "foo" }, { workspace });
  expect(text).toBe(
    `a.txt:1:(900 characters) …${"a".repeat(100)}>>foo<<${"b".repeat(397)}… (603 more characters)`,
  );
});

test("search_grep lists the files with matches newest first, and only their paths", async () => {
  const workspace = await temporaryTree(four);
  await utimes(join(workspace, "a.txt"), 1000, 1000);
  const input = { pattern: "foo", output_mode: "files_with_matches" };
  const { text, data } = await runTool(searchGrep, input, { workspace });
  expect(text).toBe("b/c.txt\na.txt");
  expect(data).toMatchObject({ mode: "files_with_matches", files: ["b/c.txt", "a.txt"], total: 2 });
});

test("search_grep counts matches per file and in all", async () => {
  const workspace = await temporaryTree(four);
  const { text, data } = await runTool(searchGrep, { pattern: "foo", output_mode: "count" }, { workspace });
  expect(text).toBe("a.txt:2\nb/c.txt:3\nTotal: 5 in 2 files");
  expect(data).toMatchObject({
    mode: "count",
    counts: [
      { path: "a.txt", matches: 2 },
      { path: "b/c.txt", matches: 3 },
    ],
    totalMatches: 5,
  });
});

test("no match is an answer, a pattern that cannot be read is an error", async () => {
  const workspace = await temporaryTree(four);
  for (const output_mode of ["content", "files_with_matches", "count"]) {
    const { text } = await runTool(searchGrep, { pattern: "nowhere", output_mode }, { workspace });
    expect(text).toBe("No matches for nowhere in .");
    await expect(
      runTool(searchGrep, { pattern: "(", output_mode, head_limit: 1 }, { workspace }),
    ).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("unclosed group"),
    });
  }
});

test("search_grep gives 250 lines unless told otherwise, and says how to go on", async () => {
  const workspace = await temporaryTree({ "a.txt": "foo\n".repeat(600) });
  const find = async (input: object) =>
    (await runTool(searchGrep, { pattern: "foo", ...input }, { workspace })).text.split("\n");
  const first = await find({});
  expect(first).toHaveLength(251);
  expect(first.at(-1)).toBe("(Showing 1-250 of 600. Continue with offset=250.)");
  const second = await find({ offset: 250 });
  expect(second[0]).toBe("a.txt:251:>>foo<<");
  expect(second.at(-1)).toBe("(Showing 251-500 of 600. Continue with offset=500.)");
  expect(await find({ offset: 500 })).toHaveLength(100);
  expect(await find({ head_limit: 0 })).toHaveLength(600);
  expect(await find({ head_limit: 2 })).toHaveLength(3);
});

test("search_grep pages through files and counts alike", async () => {
  const workspace = await temporaryTree({ a: "foo", b: "foo", c: "foo" });
  const count = await runTool(
    searchGrep,
    { pattern: "foo", output_mode: "count", head_limit: 1, offset: 1 },
    { workspace },
  );
  expect(count.text).toBe("b:1\nTotal: 3 in 3 files\n(Showing 2-2 of 3. Continue with offset=2.)");
  const files = await runTool(
    searchGrep,
    { pattern: "foo", output_mode: "files_with_matches", head_limit: 2 },
    { workspace },
  );
  expect(files.text.split("\n")).toHaveLength(3);
});

test("search_grep never collects more than 10,000 lines, and says so", async () => {
  const workspace = await temporaryTree({ "a.txt": "foo\n".repeat(10_001) });
  const { text, data } = await runTool(searchGrep, { pattern: "foo", head_limit: 0 }, { workspace });
  expect(text.split("\n").at(-1)).toBe("(More than 10,000 results; narrow the search to see the rest.)");
  expect(data).toMatchObject({ total: 10_000, truncated: true, capped: true });
});

test("search_grep takes a name with a line break or a colon for what it is", async () => {
  const workspace = await temporaryTree({ "a\nb": "foo\nfoo\nfoo\nfoo", "c:d": "foo" });
  const { text } = await runTool(
    searchGrep,
    { pattern: "foo", output_mode: "files_with_matches" },
    { workspace },
  );
  expect(text.split("\n").sort()).toEqual(['"a\\nb"', "c:d"]);
});

test("search_grep is Grep in the dialect flyto, with absolute paths, and the workspace by default", async () => {
  const workspace = await temporaryTree({ "src/a.ts": "Foo\n\n\n", "b.py": "foo" });
  const { session } = await openTestSession({ workspace, dialect: "flyto" });
  const find = (input: object) => session.call("Grep", { output_mode: "files_with_matches", ...input });
  expect((await find({ pattern: "foo" })).text).toBe(join(workspace, "b.py"));
  expect((await find({ pattern: "foo", case_insensitive: true, glob: "*.ts" })).text).toBe(
    join(workspace, "src/a.ts"),
  );
  expect((await find({ pattern: "Foo", path: join(workspace, "src") })).text).toBe(
    join(workspace, "src/a.ts"),
  );
  expect(await find({ pattern: "Foo", path: "src" })).toMatchObject({ error: { code: "invalid-input" } });
  const schema = session.tools().find(({ name }) => name === "Grep")?.inputSchema;
  expect(schema).toMatchObject({ required: ["pattern"], properties: { head_limit: { default: 250 } } });
});

test("search_grep is internal_code_search with query and searchPath in the dialect internal", async () => {
  const workspace = await temporaryTree({ "src/a.ts": "foo", "b.ts": "foo" });
  const { session } = await openTestSession({ workspace, dialect: "internal" });
  const found = await session.call("internal_code_search", { query: "fo+", searchPath: "src" });
  expect(found).toMatchObject({ status: "done", text: "src/a.ts:1:>>foo<<" });
});

test("search_grep ends with the call's time, or when the caller gives up", async () => {
  const workspace = await temporaryTree({ "a.txt": "x\n".repeat(2_000_000) });
  const { session } = await openTestSession({ workspace });
  const input = { pattern: "x", output_mode: "count" } as const;
  expect(await session.call("search_grep", input, { timeoutMs: 1 })).toMatchObject({ status: "timed-out" });
  const signal = AbortSignal.abort();
  expect(await session.call("search_grep", input, { signal })).toMatchObject({ status: "cancelled" });
});

test("search_grep asks to read its path, and changes nothing", () => {
  expect(searchGrep.permission?.({ path: "src" } as never)).toEqual({ action: "read", target: "src" });
  expect(searchGrep.traits).toMatchObject({
    readOnly: true,
    concurrencySafe: true,
    idempotent: true,
    destructive: false,
  });
});

test("a path with a star is a set of files below the folder before it, in that folder alone unless the star is double", async () => {
  const { session, workspace } = await openFileSession({
    "src/a.ts": "needle\n",
    "src/a.js": "needle\n",
    "src/deep/b.ts": "needle\n",
    "app/[id]/page.ts": "needle\n",
    "c.ts": "needle\n",
  });
  const files = async (input: object) => {
    const { data, error } = await session.call("search_grep", {
      pattern: "needle",
      output_mode: "files_with_matches",
      ...input,
    });
    return error?.message ?? (data as { files: string[] }).files.toSorted();
  };
  expect(await files({ path: "src/*.ts" })).toEqual(["src/a.ts"]);
  expect(await files({ path: "src/**/*.ts" })).toEqual(["src/a.ts", "src/deep/b.ts"]);
  expect(await files({ path: `${workspace}/s*/a.*` })).toEqual(["src/a.js", "src/a.ts"]);
  expect(await files({ path: "*.ts" })).toEqual(["c.ts"]);
  expect(await files({ path: "app/[id]/page.ts" })).toEqual(["app/[id]/page.ts"]);
  expect(await files({ path: "../*.ts" })).toContain("outside the workspace");
  expect(await files({ path: "src/*.ts", glob: "*.js" })).toContain("$.path has a pattern already");
});
