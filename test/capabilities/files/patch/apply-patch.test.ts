import { expect, test } from "vitest";
import { applyUpdate } from "../../../../src/capabilities/files/patch/apply-patch.ts";
import { parsePatch } from "../../../../src/capabilities/files/patch/patch-format.ts";
import type { PatchChunk } from "../../../../src/capabilities/files/patch/patched-change.ts";
import { fc, fuzzRuns } from "../../../support/fuzz.ts";

function chunksOf(...lines: string[]): readonly PatchChunk[] {
  const patch = ["*** Begin Patch", "*** Update File: a.py", ...lines, "*** End Patch"].join("\n");
  const [change] = parsePatch(patch);
  if (change?.kind !== "update") throw new Error("not an update");
  return change.chunks;
}

function update(text: string, ...lines: string[]): { text: string; matchedBy: string } {
  const { text: updated, matchedBy } = applyUpdate(text, chunksOf(...lines), { path: "a.py" });
  return { text: updated, matchedBy };
}

test("a patch applies its chunks in the order of the file", () => {
  expect(update("a\nb\nc\nd\ne\n", " a", "-b", "+B", " c", "@@", "-e", "+E", "+F")).toEqual({
    text: "a\nB\nc\nd\nE\nF\n",
    matchedBy: "exact",
  });
});

test("the lines named after @@ narrow the place down", () => {
  const text = "class A:\n  def f():\n    x\nclass B:\n  def f():\n    x\n  def g():\n    x\n";
  expect(update(text, "@@ class B:", "@@   def g():", "-    x", "+    y").text).toBe(
    text.replace(/x\n$/, "y\n"),
  );
  expect(() => update(text, "@@ class B:", "-    x", "+    y")).toThrow(
    expect.objectContaining({ code: "ambiguous-match", message: expect.stringContaining("lines 6, 8") }),
  );
});

test("chunks that each fit one place may come in any order", () => {
  expect(update("a\nb\nc\n", "-c", "+C", "@@", "-a", "+A").text).toBe("A\nb\nC\n");
  expect(update("a\nb\n", "+z", "@@", "-b", "+B1", "+B2").text).toBe("a\nB1\nB2\nz\n");
});

test("chunks that fit several places are told apart by their order, if that leaves one way", () => {
  expect(update("x\na\nx\n", "-x", "+1", "@@", " a", "@@", "-x", "+2").text).toBe("1\na\n2\n");
  expect(update("x\na\nx\n", "-x", "+1", "@@", "-x", "+2").text).toBe("1\na\n2\n");
});

test("a chunk that fits several places is refused with all of them", () => {
  expect(() => update("x\na\nx\n", "-x", "+y")).toThrow(
    expect.objectContaining({
      code: "ambiguous-match",
      message: "the chunk at line 3 of the patch fits a.py in several places, at lines 1, 3",
    }),
  );
});

test("two chunks may not change the same lines", () => {
  expect(() => update("a\nb\nc\n", " a", "-b", "+x", "@@", "-b", " c")).toThrow(
    expect.objectContaining({ code: "conflict" }),
  );
});

test("a context line without its leading space is context, and the new lines are not shifted", () => {
  expect(update("def f():\n    a = 1\n    c = 3\n", "@@", "    a = 1", "+    b = 2").text).toBe(
    "def f():\n    a = 1\n    b = 2\n    c = 3\n",
  );
  expect(update("f() {\n\ta();\n}\n", "f() {", "\ta();", "+\tb();", "}").text).toBe(
    "f() {\n\ta();\n\tb();\n}\n",
  );
});

test("a heading that is not there does no harm where the chunk fits one place", () => {
  expect(update("a\nb\n", "@@ class C", "-a").text).toBe("b\n");
  const text = "class A:\n  x = 1\n  y = 2\n  z = 3\n";
  expect(
    update(text, "@@ class A:", "-  z = 3", "+  z = 4", "@@ class A:", "-  x = 1", "+  x = 5").text,
  ).toBe("class A:\n  x = 5\n  y = 2\n  z = 4\n");
});

test("the mark *** End of File binds a chunk to the end", () => {
  expect(update("x\ny\nx\n", "-x", "+z", "*** End of File").text).toBe("x\ny\nz\n");
  expect(() => update("x\ny\n", "-x", "+z", "*** End of File")).toThrow(
    expect.objectContaining({ code: "no-match" }),
  );
});

test("kept lines stay as they are in the file, however they were found", () => {
  expect(update("a  \nb\n", " a", "-b", "+c")).toEqual({ text: "a  \nc\n", matchedBy: "trailing-space" });
  expect(update("say “hi”\nb\n", ' say "hi"', "-b", "+c")).toEqual({
    text: "say “hi”\nc\n",
    matchedBy: "punctuation",
  });
});

test("where the file is indented otherwise, so become the new lines", () => {
  expect(update("    if x:\n        a()\n", " if x:", "-    a()", "+    b()", "+    c()")).toEqual({
    text: "    if x:\n        b()\n        c()\n",
    matchedBy: "trim",
  });
});

test("an exact place is preferred to a looser one before it", () => {
  expect(update("b  \nb\n", "-b", "+c")).toEqual({ text: "b  \nc\n", matchedBy: "exact" });
});

test("new lines without old ones come after the named line, or at the end", () => {
  expect(update("a\nb\n", "@@ a", "+x").text).toBe("a\nx\nb\n");
  expect(update("a\nb\n", "+x").text).toBe("a\nb\nx\n");
  expect(update("", "+x", "+y").text).toBe("x\ny\n");
  expect(update("a\nb\n", "+x", "@@", "-a", "+A").text).toBe("A\nb\nx\n");
});

test("line endings and a missing newline at the end stay as they are", () => {
  expect(update("a\r\nb\r\n", "-a", "+x", "+y").text).toBe("x\r\ny\r\nb\r\n");
  expect(update("a\nb", "-b", "+x", "+y").text).toBe("a\nx\ny");
  expect(update("a\nb", " b", "+x").text).toBe("a\nb\nx");
  expect(update("a\nb", "+x").text).toBe("a\nb\nx");
  expect(update("a\nb", "-b").text).toBe("a");
  expect(update("a\nb", "-a", "-b").text).toBe("");
  expect(update("a\nb", "-a", "+x", "@@", "-b").text).toBe("x");
});

test("an empty line too many at the end of a chunk does no harm", () => {
  expect(update("a\nb\n", " a", "-b", "+c", "").text).toBe("a\nc\n");
});

test("an empty line that is the only context of a chunk must be in the file", () => {
  expect(() => update("a\nb\n", "+x", "")).toThrow(expect.objectContaining({ code: "no-match" }));
});

test("context lines that repeat their own beginning are found", () => {
  expect(update("a\na\na\nb\n", " a", " a", "-b", "+c").text).toBe("a\na\na\nc\n");
});

test("missing lines are refused with the closest region, and nothing is applied", () => {
  const chunks = chunksOf("-first", "+1", "@@", " second line here", "-third line there");
  const text = "first\nsecond line here\nthird line where\n";
  expect(() => applyUpdate(text, chunks, { path: "a.py" })).toThrow(
    expect.objectContaining({
      code: "no-match",
      message: "the chunk at line 5 of the patch does not match a.py: its lines are not in the file",
      hint: expect.stringContaining(">     3\tthird line where"),
    }),
  );
});

test("new lines after a heading that is not there are refused", () => {
  expect(() => update("a\nb\n", "@@ class C", "+x")).toThrow(expect.objectContaining({ code: "no-match" }));
});

test("any change of lines, written as a patch, makes of the one text the other", () => {
  const word = fc.constantFrom("a", "b", "c", "", "  d");
  const kind = fc.constantFrom("keep", "remove", "add");
  const script = fc.array(fc.tuple(kind, word), { minLength: 1, maxLength: 15 });
  fc.assert(
    fc.property(script, fc.constantFrom("\n", "\r\n"), (steps, lineEnd) => {
      fc.pre(steps.some(([kind]) => kind !== "keep") && steps.some(([kind]) => kind !== "add"));
      const join = (skipped: string) =>
        steps.flatMap(([kind, word]) => (kind === skipped ? [] : [word + lineEnd])).join("");
      const signs = { keep: " ", remove: "-", add: "+" } as Record<string, string>;
      const chunks = chunksOf(...steps.map(([kind, word]) => `${signs[kind]}${word}`));
      // With one kind of line end per file, a file that has none yet gets LF.
      fc.pre(join("add") !== "");
      expect(applyUpdate(join("add"), chunks).text).toBe(join("remove"));
    }),
    { numRuns: fuzzRuns({ sample: 150, full: 20_000 }) },
  );
});

test("context lines that a blank line parts from the added ones do not decide their indentation", () => {
  const text = "top\n  in: 1\n    deep\n\nnext\n    more\n\nlast\n";
  const shifted = ["     in: 1", "       deep", "+  in: 2", " ", "-  next", "-      more", " ", "   last"];
  expect(() => update(text, "@@", ...shifted)).toThrow(expect.objectContaining({ code: "ambiguous-match" }));
});
