import { describe, expect, test } from "vitest";
import { DocumentError } from "../../../src/shared/front-matter/document-error.ts";
import {
  type FrontMatterField,
  readFrontMatter,
} from "../../../src/shared/front-matter/read-front-matter.ts";
import { cpuMs } from "../../support/cpu-ms.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";

function read(lines: string): Record<string, unknown> {
  const { fields } = readFrontMatter(`---\n${lines}\n---\nbody\n`);
  return Object.fromEntries([...fields].map(([key, field]) => [key, plainValue(field)]));
}

function plainValue(field: FrontMatterField): string | readonly string[] | undefined {
  if (field.kind === "nested") return undefined;
  return field.kind === "text" ? field.text : field.items;
}

describe("a value", () => {
  test.each([
    ["plain", "description: Reads PDFs", "Reads PDFs"],
    ["with a colon", "description: Use it: for PDFs, http://a.b/c", "Use it: for PDFs, http://a.b/c"],
    ["with a comment", "description: Reads # not this", "Reads"],
    ["with a hash in a word", "description: C# and #1", "C# and"],
    ["in double quotes", String.raw`description: "a \"b\" \\ \n \u00e9 # c"`, 'a "b" \\ \n é # c'],
    ["in single quotes", "description: 'it''s # so'", "it's # so"],
    ["in quotes, with a comment after them", 'description: "a" # b', "a"],
    ["over several lines", "description: one\n  two\n  three", "one two three"],
    ["in quotes over several lines", 'description: "one\n  two"', "one two"],
    ["as a block", "description: |\n  one\n    two\n\n  three\n", "one\n  two\n\nthree"],
    ["as a folded block", "description: >-\n  one\n  two\n\n  three", "one two\nthree"],
    ["empty", "description:", ""],
    ["of other letters", "description: 处理 PDF 文件", "处理 PDF 文件"],
  ])("%s", (_name, lines, description) => {
    expect(read(lines)).toEqual({ description });
  });
});

describe("a list", () => {
  test.each([
    ["below its key", "tools:\n- Read\n- Bash(git:*)", ["Read", "Bash(git:*)"]],
    [
      "indented",
      "tools:\n  - Read # to look\n\n  # and\n  - 'Bash(npm test, x)'",
      ["Read", "Bash(npm test, x)"],
    ],
    [
      "in one line",
      String.raw`tools: ["Read", 'it''s', mcp__a__*, "a, \"b\"",] # all`,
      ["Read", "it's", "mcp__a__*", 'a, "b"'],
    ],
    ["in brackets over several lines", "tools: [\n  Read,\n  Grep\n]", ["Read", "Grep"]],
    ["in indented brackets over several lines", "tools: [\n  Read,\n  Grep\n  ]", ["Read", "Grep"]],
    ["with quotes in quotes", String.raw`tools: ["a\", b", c]`, ['a", b', "c"]],
    ["of nothing", "tools: []", []],
  ])("%s", (_name, lines, tools) => {
    expect(read(lines)).toEqual({ tools });
  });

  test.each([
    "tools:\n- a: b",
    "tools:\n- a\n  b",
    "tools:\n- a\n  - b",
    "tools:\n  - a\n- b",
    "tools:\n-",
    "tools:\n- *a",
    "tools:\n- [a]",
    'tools:\n- "a',
    "tools: [a, [b]]",
    "tools: [a: b]",
    "tools: [it's, a]",
    "tools: [a,, b]",
    "tools: [*]",
    "tools: [a",
    "tools: [a] b",
    "tools: {a: b}",
    "tools:\n  a: b",
  ])("%j holds more than texts, and none of it is taken for one", (lines) => {
    expect(read(lines)).toEqual({ tools: undefined });
  });
});

test("what is nested is passed over, and what comes after it is read", () => {
  const lines = [
    "# a comment",
    "name: pdf",
    "metadata:",
    "  version: '1'",
    "  deep:",
    "    - a: b",
    "hooks: {a: [b]}",
    "",
    "description: last",
  ];
  expect(read(lines.join("\n"))).toEqual({ name: "pdf", description: "last" });
});

test("every field knows its line", () => {
  const { fields } = readFrontMatter("---\n# one\na: |\n  b\n\nc: [d]\ne:\n  f: g\n---\n");
  expect([...fields].map(([key, { line }]) => [key, line])).toEqual([
    ["a", 3],
    ["c", 6],
    ["e", 7],
  ]);
});

test("the text after it stays as it is, with any line ending", () => {
  expect(readFrontMatter("---\r\na: b\r\n---\r\none\r\n---\r\ntwo").body).toBe("one\n---\ntwo");
  expect(readFrontMatter("---\na: b\n---").body).toBe("");
});

test.each([
  ["", 1, "begin with a line ---"],
  ["# Title\n", 1, "begin with a line ---"],
  ["---\na: b\n", 1, "no line --- at its end"],
  ["---\na: b\nnonsense\n---\n", 3, 'found "nonsense"'],
  ["---\na: b\na: c\n---\n", 3, "a stands there twice"],
  ['---\n\na: "b\n---\n', 3, "quotes"],
  ['---\na: "b" c\n---\n', 2, "quotes"],
  ["---\na: 'b\n---\n", 2, "quotes"],
  ['---\na: "\\q"\n---\n', 2, "\\q means nothing"],
  ["---\na: *anchor\n---\n", 2, "cannot begin with *"],
  ["---\na: !!js/function x\n---\n", 2, "cannot begin with !"],
  ["---\na: &b c\n---\n", 2, "cannot begin with &"],
  ["---\na: |\n\tb\n---\n", 3, "tab"],
  ["---\na: b\n- c\n---\n", 2, "both a value and a list"],
  ["---\na: b\n]\n---\n", 2, "both a value and a list"],
  ["---\n  a: b\n---\n", 2, "expected"],
])("%j is refused at its line", (text, line, message) => {
  const reading = () => readFrontMatter(text);
  expect(reading).toThrow(DocumentError);
  expect(reading).toThrow(message);
  try {
    reading();
  } catch (error) {
    expect((error as DocumentError).line).toBe(line);
  }
});

test("whatever is in it, it is read or refused, and quickly", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "---",
      "\n",
      "\r",
      "a: ",
      "- ",
      '"',
      "'",
      "\\",
      "#",
      " ",
      "\t",
      "|",
      ">",
      "[",
      "]",
      "{",
      ",",
      "&",
      ":",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      try {
        readFrontMatter(`---\n${pieces.join("")}\n---\n`);
      } catch (error) {
        expect(error).toBeInstanceOf(DocumentError);
      }
    }),
    { numRuns: fuzzRuns({ sample: 500, full: 50_000 }) },
  );
  for (const hostile of [
    " ".repeat(2 ** 20),
    '"'.repeat(2 ** 20),
    `"${"\\".repeat(2 ** 20)}`,
    "a\n ".repeat(2 ** 18),
    `b${" ".repeat(2 ** 20)}c`,
    `${" ".repeat(2 ** 20)}b\u2028c`,
    `b${" #".repeat(2 ** 19)}\u2028c`,
    `|\n${" b\n".repeat(2 ** 18)}`,
    `[${"a,".repeat(2 ** 19)}`,
    `[${'"a",'.repeat(2 ** 18)}]`,
    `["${"\\".repeat(2 ** 20)}]`,
    `\n${"- b\n".repeat(2 ** 18)}`,
    `\n- b${" #".repeat(2 ** 19)}`,
  ]) {
    const tookMs = cpuMs(() => {
      try {
        readFrontMatter(`---\na: ${hostile}\n---\n`);
      } catch (error) {
        expect(error).toBeInstanceOf(DocumentError);
      }
    });
    expect(tookMs).toBeLessThan(2000);
  }
});
