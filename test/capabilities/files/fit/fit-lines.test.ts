import { expect, test } from "vitest";
import { editText } from "../../../support/edit-text.ts";
import { fc, fuzzRuns } from "../../../support/fuzz.ts";

function edited(text: string, oldText: string, newText: string): string {
  return editText(text, { oldText, newText }).text;
}

const nested = "class A:\n    def f(self):\n        a = 1\n        b = 2\n";

test("new lines are indented as the file is where old and new are written alike", () => {
  expect(edited(nested, "a = 1\nb = 2", "a = 1\nb = 3")).toBe(nested.replace("b = 2", "b = 3"));
  expect(edited(nested, "a = 1\nb = 2", "a = 1\nif a:\n    b = 3")).toBe(
    "class A:\n    def f(self):\n        a = 1\n        if a:\n            b = 3\n",
  );
  expect(edited("if (a)\n  b();\n", "    if (a)\n      b();\n", "    if (a)\n      d();\n")).toBe(
    "if (a)\n  d();\n",
  );
});

test("new lines stay as they are where a line they share with the file says that they are right", () => {
  expect(edited(nested, "a = 1\nb = 2", "        a = 1\n        b = 3")).toBe(
    nested.replace("b = 2", "b = 3"),
  );
  expect(edited(nested, "          a = 1\n          b = 2", "        a = 1\n        b = 3")).toBe(
    nested.replace("b = 2", "b = 3"),
  );
  expect(edited(nested, "      a = 1\n        b = 2", "        a = 1\n        b = 3")).toBe(
    nested.replace("b = 2", "b = 3"),
  );
});

test("a line that replaces another may be indented as the old one was written, or as it stands in the file", () => {
  expect(edited(nested, "      b = 2\n", "        c = 3\n")).toBe(nested.replace("b = 2", "c = 3"));
  expect(edited(nested, "      b = 2\n", "      c = 3\n")).toBe(nested.replace("b = 2", "c = 3"));
});

test("where two indentations are possible the edit is refused and both are shown", () => {
  expect(() => edited(nested, "  a = 1\n  b = 2\n", "    c = 3\n")).toThrow(
    expect.objectContaining({
      code: "ambiguous-match",
      message: expect.stringContaining("not certain how to indent the new text at line 3"),
      hint: expect.stringMatching(/Reading 1:\n {2}" {4}c = 3"\nReading 2:\n {2}" {10}c = 3"/),
    }),
  );
});

test("a line that changes its depth does not say how the others are indented, where the first and last say otherwise", () => {
  const call = "}\nf(\n  {\n    hint,\n  },\n);\nend\n";
  const deeper = (text: string) => text.replace(/^(?=.)/gm, "  ");
  const old = "}\nf(\n  {\n    hint,\n  },\n);";
  // Two deeper, the hint is where it stands in the file.
  expect(() => edited(call, deeper(old), deeper("}\ng({\n  hint,\n});"))).toThrow(
    expect.objectContaining({ code: "ambiguous-match", message: expect.stringContaining("not certain") }),
  );
});

test("tabs and spaces are converted where one width explains every line", () => {
  const tabs = "\tif (a) {\n\t\tb();\n\t}\n";
  expect(
    edited(tabs, "    if (a) {\n        b();\n    }\n", "    if (a) {\n        c(\n          d);\n    }\n"),
  ).toBe("\tif (a) {\n\t\tc(\n\t\t  d);\n\t}\n");
  expect(edited("  if (a)\n    b();\n", "\tif (a)\n\t\tb();\n", "\tif (a)\n\t\tc();\n")).toBe(
    "  if (a)\n    c();\n",
  );
});

test("lines that old and new share stay as the file has them, whatever differs", () => {
  expect(edited("one  \ntwo\nthree \n", "one\ntwo\nthree\n", "one\n2\nthree\n")).toBe("one  \n2\nthree \n");
  expect(edited("say “hi”\ntwo\n", 'say "hi"\ntwo\n', 'say "hi"\n2\n')).toBe("say “hi”\n2\n");
  expect(edited("one\r\ntwo\nthree\r\n", "one\ntwo\nthree\n", "one\n2\nthree\n")).toBe(
    "one\r\n2\r\nthree\r\n",
  );
});

test("quotes in the new text are those of the file", () => {
  expect(edited('f("a")\nb\n', "f(“a”)\nb\n", "f(“c”)\nit’s\n")).toBe('f("c")\nit\'s\n');
  expect(edited("print(“hello”)\n", 'print("hello")\n', 'print("hello world")\n')).toBe(
    "print(“hello world”)\n",
  );
  expect(edited("a — b\n", "a - b\n", "a - b --flag\n")).toBe("a - b --flag\n");
});

test("an exact match that begins inside an indentation counts as the whole line if the new text is indented otherwise", () => {
  const text = "{\n    a();\n    b();\n}\n";
  expect(edited(text, "  a();\n    b();\n", "    a();\n    c();\n")).toBe("{\n    a();\n    c();\n}\n");
  expect(edited(text, "a();", "c();")).toBe("{\n    c();\n    b();\n}\n");
  expect(() => edited(text, "a();", "  c();")).toThrow(expect.objectContaining({ code: "ambiguous-match" }));
});

test("CRLF in the new text alone does not make a file mixed", () => {
  expect(edited("a\nb\n", "a", "x\r\ny")).toBe("x\ny\nb\n");
  expect(edited("a", "a", "x\r\ny")).toBe("x\r\ny");
});

test("an old text that stands twice but for line endings is refused", () => {
  expect(() => edited("a\nb\n\na\r\nb\r\n", "a\nb", "c")).toThrow(
    expect.objectContaining({ code: "ambiguous-match" }),
  );
});

test("blank lines around the old text that the file does not have are passed over", () => {
  expect(edited("a\nb\nc\n", "\nb\n", "\nx\n")).toBe("a\nx\nc\n");
  expect(edited("a\nb", "b\n", "x\n")).toBe("a\nx");
  expect(edited("b\nc\n", "\n\nb\n\n", "x")).toBe("x\nc\n");
});

test("two lines are not joined by leaving out the line break between them", () => {
  expect(() => edited("a\n\nb\n", "\n\nb", "x")).toThrow(
    expect.objectContaining({ code: "ambiguous-match" }),
  );
  expect(() => edited("a\nb\n", "a\n", "x")).toThrow(
    expect.objectContaining({ message: expect.stringContaining("would be joined") }),
  );
  expect(edited("a\nb\n", "a\n", "")).toBe("b\n");
  expect(edited("a\nb\n", "a\nb", "a b")).toBe("a b\n");
});

test("indentation at the end of a line is not what takes the place of its line break", () => {
  for (const [text, oldText, newText] of [
    ["}\n\n  b\n", "\n\n  b", "  x"],
    ["  a\n  b\n", "  a\n", "  x"],
    ["a\n\tb\n", "\n\tb", "\tx"],
    ["/**\n * b\n", "\n * b", " * x"],
  ] as const) {
    expect(() => edited(text, oldText, newText)).toThrow(
      expect.objectContaining({ message: expect.stringContaining("would be joined") }),
    );
  }
  // A single space joins them as in a sentence.
  expect(edited("a\n  b\n", "\n  b", " x")).toBe("a x\n");
  expect(edited("a\nb\n", "a\n", "x ")).toBe("x b\n");
});

test.each([
  "// ... existing code ...",
  "# rest of the methods ...",
  "/* ... */",
  "{/* ... unchanged ... */}",
  "<!-- ... rest -->",
])("the line %s stands for code that was left out, and is not written", (line) => {
  expect(() => edited("a\nb\n", "a\n", `x\n${line}\n`)).toThrow(
    expect.objectContaining({ code: "invalid-input", message: expect.stringContaining("left out") }),
  );
  // One that is there already may stay.
  expect(edited(`a\n${line}\n`, `a\n${line}`, `x\n${line}`)).toBe(`x\n${line}\n`);
});

test.each(["f(...args);", "return { ...rest };", "// Wait ... then go on.", "console.log('...')", "..."])(
  "the line %s is code like any other",
  (line) => {
    expect(edited("a\nb\n", "a\n", `${line}\n`)).toBe(`${line}\nb\n`);
  },
);

const word = fc.constantFrom("if (a) {", "}", "b();", "return c;", "", "“d”", "let e = 1;");
const line = fc
  .tuple(fc.nat(3), word, fc.constantFrom("", "  "))
  .map(([depth, text, end]) => "  ".repeat(depth) + text + end);

test("lines outside of the changed ones are the same to the byte, however the old text is written", () => {
  const distort = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.trimEnd(),
    (text: string) => text.trim(),
    (text: string) => `  ${text}`,
    (text: string) => text.replaceAll("“", '"').replaceAll("”", '"'),
  );
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
      distort,
      fc.array(line, { maxLength: 4 }),
      (before, old, after, end, change, next) => {
        const text = [...before, "START", ...old, "END", ...after].join(end);
        const oldText = ["START", ...old.map(change), "END"].join("\n");
        const newText = ["START", ...next.map(change), "END"].join("\n");
        let made: string;
        try {
          made = editText(text, { oldText, newText }).text;
        } catch {
          return;
        }
        const head = [...before, "START", ""].join(end);
        const tail = ["", "END", ...after].join(end);
        expect(made.startsWith(head) && made.endsWith(tail)).toBe(true);
        expect(made.slice(head.length).split(end).length).toBe(next.length + 1 + after.length);
      },
    ),
    { numRuns: fuzzRuns({ sample: 200, full: 20_000 }) },
  );
});
