import { expect, test } from "vitest";
import { parsePatch } from "../../../../src/capabilities/files/patch/patch-format.ts";

function patchOf(...lines: string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

test("parsePatch reads added, updated, moved and deleted files", () => {
  const patch = patchOf(
    "*** Add File: docs/new.md",
    "+# Title",
    "+",
    "+Text",
    "*** Update File: src/a.ts",
    "*** Move to: src/b.ts",
    "@@ class A",
    "@@   run() {",
    " keep",
    "-remove",
    "+add",
    "",
    "@@",
    "-last",
    "*** End of File",
    "*** Delete File: old.txt",
  );
  expect(parsePatch(patch)).toEqual([
    { kind: "add", path: "docs/new.md", text: "# Title\n\nText\n" },
    {
      kind: "update",
      path: "src/a.ts",
      moveTo: "src/b.ts",
      chunks: [
        {
          contexts: ["class A", "  run() {"],
          lines: [
            { kind: "keep", text: "keep" },
            { kind: "remove", text: "remove" },
            { kind: "add", text: "add" },
            { kind: "keep", text: "" },
          ],
          isEndOfFile: false,
          line: 8,
        },
        { contexts: [], lines: [{ kind: "remove", text: "last" }], isEndOfFile: true, line: 14 },
      ],
    },
    { kind: "delete", path: "old.txt" },
  ]);
});

test("the first chunk needs no @@, and a file may only be moved", () => {
  expect(parsePatch(patchOf("*** Update File: a", "-x", "+y"))).toMatchObject([
    { chunks: [{ contexts: [], lines: [{ text: "x" }, { text: "y" }] }] },
  ]);
  expect(parsePatch(patchOf("*** Update File: a", "*** Move to: b"))).toEqual([
    { kind: "update", path: "a", moveTo: "b", chunks: [] },
  ]);
});

test("line numbers in an @@ line are passed over", () => {
  const patch = patchOf("*** Update File: a", "@@ -1,3 +1,3 @@ f()", "-x");
  expect(parsePatch(patch)).toMatchObject([{ chunks: [{ contexts: [] }] }]);
});

test.each(["<<'EOF'", "<<EOF", '<<"EOF"', "apply_patch <<'EOF'"])(
  "a patch inside of %s is read",
  (opening) => {
    const patch = `\n${opening}\n${patchOf("*** Delete File: a")}\nEOF\n`;
    expect(parsePatch(patch)).toEqual([{ kind: "delete", path: "a" }]);
  },
);

test("a patch written with CRLF is read as one with LF", () => {
  const patch = patchOf("*** Add File: a", "+x", "", "*** Delete File: b");
  expect(parsePatch(patch.replaceAll("\n", "\r\n"))).toEqual(parsePatch(patch));
});

test("content that looks like a mark is content", () => {
  const patch = patchOf("*** Add File: a", "+*** End Patch", "*** Update File: b", " *** Begin Patch", "-@@");
  expect(parsePatch(patch)).toMatchObject([
    { text: "*** End Patch\n" },
    { chunks: [{ lines: [{ text: "*** Begin Patch" }, { text: "@@" }] }] },
  ]);
});

test.each([
  ["no beginning", "*** Update File: a\n-x", 'line 1 of the patch: expected "*** Begin Patch"'],
  [
    "no end",
    "*** Begin Patch\n*** Delete File: a\n",
    'line 2 of the patch: "*** End Patch" is missing after this line',
  ],
  [
    "something after the end",
    `${patchOf("*** Delete File: a")}\nmore`,
    "line 4 of the patch: nothing may follow",
  ],
  ["no file", patchOf(), "line 2 of the patch: the patch does not change any file"],
  ["no path", patchOf("*** Delete File: "), "line 2 of the patch: the path is missing"],
  ["an unknown header", patchOf("*** Rename File: a"), "line 2 of the patch: expected a file header"],
  [
    "an added line without plus",
    patchOf("*** Add File: a", "x"),
    'line 3 of the patch: each line of an added file must start with "+"',
  ],
  [
    "an update of nothing",
    patchOf("*** Update File: a", "*** Delete File: b"),
    "line 2 of the patch: the update of a changes nothing",
  ],
  [
    "an empty chunk",
    patchOf("*** Update File: a", "@@ x", "@@", "*** Delete File: b"),
    "line 3 of the patch: the chunk has no lines",
  ],
  [
    "an unknown mark",
    patchOf("*** Update File: a", "-x", "*** What"),
    'line 4 of the patch: unexpected "*** What"',
  ],
  ["nothing at all", "", 'line 1 of the patch: expected "*** Begin Patch"'],
])("a patch with %s is refused with the line", (_what, patch, message) => {
  expect(() => parsePatch(patch)).toThrow(
    expect.objectContaining({ code: "invalid-input", message: expect.stringContaining(message) }),
  );
});

test("a here-document is recognised after any number of empty lines", () => {
  const text = (lines: number) =>
    `${"\n".repeat(lines)}apply_patch <<'EOF'\n${patchOf("*** Delete File: a")}\nEOF\n`;
  expect(parsePatch(text(3))).toEqual([{ kind: "delete", path: "a" }]);
});
