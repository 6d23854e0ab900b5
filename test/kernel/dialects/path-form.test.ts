import { isAbsolute, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DialectParams } from "../../../src/kernel/dialects/dialect.ts";
import { dialects } from "../../../src/kernel/dialects/dialects.ts";
import { openFileSession } from "../../support/open-file-session.ts";

const contents = { "src/a.txt": "foo\n", "src/deep/b.txt": "foo\n", "c.txt": "other\n" };

/** Calls that print paths, with input that every dialect takes; `at` is an absolute path in the workspace. */
const calls: readonly (readonly [tool: string, input: (at: (path: string) => string) => object])[] = [
  ["file_read", (at) => ({ path: at("src/a.txt") })],
  ["file_read", (at) => ({ path: at("src/a.txt"), offset: 9 })],
  ["file_read", (at) => ({ path: at("src/b.txt") })],
  ["file_read", (at) => ({ path: at("src/deep/a.txt") })],
  ["file_list", (at) => ({ path: at("src"), recursive: true })],
  ["file_list", () => ({ recursive: true })],
  ["search_glob", () => ({ pattern: "**/*.txt" })],
  ["search_glob", (at) => ({ pattern: "*.txt", path: at("src") })],
  ["search_grep", () => ({ pattern: "foo" })],
  ["search_grep", () => ({ pattern: "foo", output_mode: "files_with_matches" })],
  ["search_grep", (at) => ({ pattern: "foo", output_mode: "count", path: at("src/a.txt") })],
  ["search_grep", (at) => ({ pattern: "nowhere", path: at("src/a.txt") })],
  ["file_edit", (at) => ({ path: at("src/a.txt"), old_string: "foo", new_string: "foo foo" })],
  ["file_edit", (at) => ({ path: at("src/a.txt"), old_string: "foo", new_string: "bar" })],
  ["file_edit", (at) => ({ path: at("src/a.txt"), old_string: "nowhere", new_string: "bar" })],
  ["file_multi_edit", (at) => ({ edits: [{ path: at("c.txt"), old_string: "other", new_string: "one" }] })],
  ["file_patch", () => ({ patch: "*** Begin Patch\n*** Update File: c.txt\n-one\n+two\n*** End Patch" })],
  ["file_write", (at) => ({ path: at("src/a.txt"), content: "foo\nmore\n" })],
  ["file_copy", (at) => ({ source: at("c.txt"), destination: at("copy.txt") })],
];

describe.each(dialects)("in the dialect $name", (dialect) => {
  const spoken = (tool: string) => dialect.tools[tool]?.name ?? tool;
  const inputOf = (tool: string, input: object) => inDialect(input, dialect.tools[tool]?.params ?? {});

  test("every path that a tool prints can be read with the dialect's own tool", async () => {
    const { session, workspace } = await openFileSession(contents, { dialect: dialect.name });
    const at = (path: string) => join(workspace, path);
    for (const [tool, input] of calls) {
      const result = await session.call(spoken(tool), inputOf(tool, input(at)));
      const shown = [result.text, JSON.stringify(result.data ?? null), result.error?.hint ?? ""].join("\n");
      const paths = new Set(pathsIn(shown));
      // What does not exist was only repeated.
      const found = [...paths].filter((path) => !/src\/b\.txt|deep\/a\.txt/.test(path));
      if (result.status === "done")
        expect([tool, input(at), found.length > 0]).toEqual([tool, input(at), true]);
      for (const path of found) {
        const read = await session.call(spoken("file_read"), inputOf("file_read", { path }));
        expect([tool, path, read.status]).toEqual([tool, path, "done"]);
      }
    }
  });

  test("diffs name files relative to the workspace", async () => {
    const { session, workspace } = await openFileSession(contents, { dialect: dialect.name });
    const path = join(workspace, "src/a.txt");
    const edit = inputOf("file_edit", { path, old_string: "foo", new_string: "bar" });
    const preview = await session.dryRun(spoken("file_edit"), edit);
    const edited = await session.call(spoken("file_edit"), edit);
    const headings = [preview, edited].map(
      ({ text }) => text.replaceAll("\\n", "\n").match(/^--- .*$/gm) ?? [],
    );
    // What is JSON has a diff only in its preview.
    expect(headings[0]).not.toEqual([]);
    for (const heading of headings.flat()) expect(heading).toMatch(/^--- (a\/)?src\/a\.txt$/);
  });
});

test("a tool called by its canonical name answers with paths relative to the workspace", async () => {
  const { session } = await openFileSession(contents, { dialect: "flyto" });
  const { data } = await session.call("search_glob", { pattern: "c.txt" });
  expect(data).toMatchObject({ path: ".", matches: [{ path: "c.txt" }] });
  const offered = await session.call("Glob", { pattern: "c.txt" });
  const [match] = (offered.data as { matches: { path: string }[] }).matches;
  expect(isAbsolute(match!.path)).toBe(true);
});

/** An input of the tool's own as the dialect has it, without what it cannot say. */
function inDialect(input: object, params: DialectParams): object {
  const entries = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    const param = params[name];
    if (param === null || param?.fixed !== undefined) return [];
    const items = param?.items;
    const inside = items && Array.isArray(value) ? value.map((item) => inDialect(item, items)) : value;
    return [[param?.name ?? name, inside]];
  });
  return Object.fromEntries(entries);
}

/** Paths of text files, but not those in the headings of diffs. */
function pathsIn(shown: string): string[] {
  const lines = shown
    .replaceAll("\\n", "\n")
    .replaceAll(/"name":"[^"]*"|(?:---|\+\+\+|\*\*\*) .*/g, "")
    .split("\n");
  return lines.flatMap((line) => [...line.matchAll(/[\w./-]*\b(?:a|b|c|copy)\.txt/g)].map(([path]) => path));
}
