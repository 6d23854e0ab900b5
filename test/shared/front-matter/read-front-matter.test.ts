import { describe, expect, test } from "vitest";
import { DocumentError } from "../../../src/shared/front-matter/document-error.ts";
import {
  type FrontMatterField,
  readFrontMatter,
} from "../../../src/shared/front-matter/read-front-matter.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";

async function read(lines: string): Promise<Record<string, unknown>> {
  const { fields } = await readFrontMatter(`---\n${lines}\n---\nbody\n`);
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
    ["of digits", "description: 1.0", "1.0"],
    ["that is a word of YAML", "description: null", "null"],
    ["under a name in quotes", '"description": a', "a"],
    ["as an indented block with its depth", "description: |2\n    one\n  two", "  one\ntwo"],
    [
      "as a folded block with lines further in",
      "description: >\n  one\n    two\n  three",
      "one\n  two\nthree",
    ],
    ["in quotes with a blank line", 'description: "one\n\n  two"', "one\ntwo"],
    ["in quotes with every escape", String.raw`description: "\U0001F600\x41\_"`, "😀A\u00a0"],
    ["with an anchor", "description: &text one", "one"],
  ])("%s", async (_name, lines, description) => {
    expect(await read(lines)).toEqual({ description });
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
  ])("%s", async (_name, lines, tools) => {
    expect(await read(lines)).toEqual({ tools });
  });

  test.each([
    ["over several lines each", "tools:\n- a\n  b\n- c", ["a b", "c"]],
    ["with signs in its words", "tools: [it's, a]", ["it's", "a"]],
    ["with comments between", "tools: [a, # one\n  b]", ["a", "b"]],
  ])("%s", async (_name, lines, tools) => {
    expect(await read(lines)).toEqual({ tools });
  });

  test.each([
    "tools:\n- a: b",
    "tools:\n- [a]",
    "tools: [a, [b]]",
    "tools: [a: b]",
    "tools: [a,, b]",
    "tools: [*]",
    "tools: [a",
    "tools: [a] b",
    "tools: [a\n- b",
    "tools: {a: b}",
    "tools: {a: b} c",
    "tools:\n  a: b",
  ])("%j holds more than texts, and none of it is taken for one", async (lines) => {
    expect(await read(lines)).toEqual({ tools: undefined });
  });

  test.each(["tools:\n  - a\n- b", "tools:\n- a\n  - b: c", "tools:\n- *a", 'tools:\n- "a'])(
    "%j could mean several things and is refused",
    async (lines) => {
      await expect(read(lines)).rejects.toThrow(DocumentError);
    },
  );
});

describe("what is not YAML and is written all the same", () => {
  test.each([
    ["a colon", "description: Use it: for PDFs", "Use it: for PDFs"],
    ["a colon at the end of a line", "description: Use it for:\n  PDFs", "Use it for: PDFs"],
    ["colons and quotes", String.raw`description: Say "it": C:\new # now`, String.raw`Say "it": C:\new`],
    ["an example", "description: Use it. <example>user: Hi</example>", "Use it. <example>user: Hi</example>"],
    ["a dash", "description: - reads", "- reads"],
    ["points below it", "description: Use it for:\n  - PDFs\n  - texts", "Use it for: - PDFs - texts"],
    ["signs that cannot be seen", "description: one\u001b[1m two\u0007", "one[1m two"],
    ["a comment between its lines", "description: one\n  # not this\n  two", "one\ntwo"],
  ])("a text with %s", async (_name, lines, description) => {
    expect(await read(`name: pdf\n${lines}\nlast: one`)).toEqual({ name: "pdf", description, last: "one" });
  });

  test("a collection that cannot be read spoils no other field", async () => {
    const lines = "name: pdf\nargument-hint: [file] [pages]\ndescription: Use it: now";
    expect(await read(lines)).toEqual({
      name: "pdf",
      "argument-hint": undefined,
      description: "Use it: now",
    });
  });

  test.each([
    "tools: Read\n  mode: plan",
    "tools: Read\n\tmode: plan",
    'description: "PDF" reader: it reads',
  ])("%j may be a slip, so it is refused", async (lines) => {
    await expect(read(`description: Use it: now\n${lines}`)).rejects.toThrow("this is not YAML");
  });
});

test("an alias is what it stands for", async () => {
  expect(await read("a: &one [x, y]\nb: *one\nc: &two z\nd: *two")).toEqual({
    a: ["x", "y"],
    b: ["x", "y"],
    c: "z",
    d: "z",
  });
});

test("a nested value is passed over, and the fields after it are read", async () => {
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
  expect(await read(lines.join("\n"))).toEqual({ name: "pdf", description: "last" });
});

test("every field knows its line", async () => {
  const { fields } = await readFrontMatter("---\n# one\na: |\n  b\n\nc: [d]\ne:\n  f: g\n---\n");
  expect([...fields].map(([key, { line }]) => [key, line])).toEqual([
    ["a", 3],
    ["c", 6],
    ["e", 7],
  ]);
});

test("the text after it stays as it is, with any line ending", async () => {
  const { fields, body } = await readFrontMatter("---\r\na: b\r\n---\r\none\r\n---\r\ntwo");
  expect(fields.get("a")).toEqual({ kind: "text", text: "b", line: 2 });
  expect(body).toBe("one\n---\ntwo");
  expect(await readFrontMatter("---\na: b\n---")).toMatchObject({ body: "" });
});

test.each([
  ["", 1, "begin with a line ---"],
  ["# Title\n", 1, "begin with a line ---"],
  ["---\na: b\n", 1, "no line --- at its end"],
  [`---\na: ${"b".repeat(2 ** 16)}\n---\n`, 1, "longer than 65536 characters; shorten it"],
  ["---\na: b\nnonsense\n---\n", 3, "expected ':' after a mapping key"],
  ["---\n\nnonsense\n---\n", 3, 'expected "name: value"'],
  ["---\n- a\n---\n", 2, 'expected "name: value"'],
  ["---\na: b\n--- c: d\n---\n", 3, "this is not YAML"],
  ["---\na: b\n--- {c: d}\n---\n", 2, 'expected "name: value"'],
  ["---\na: b\na: c\n---\n", 3, "a stands there twice; leave one out"],
  ['---\n\na: "b\n---\n', 3, "within a double quoted scalar"],
  ['---\na: "b" c\n---\n', 2, "if a text is meant, put it in quotes"],
  ["---\na: 'b\n---\n", 2, "within a single quoted scalar"],
  ['---\na: "\\q"\n---\n', 2, "unknown escape sequence"],
  ["---\na: *anchor\n---\n", 2, 'unidentified alias "anchor"'],
  ["---\na: !!js/function x\n---\n", 2, "unknown scalar tag"],
  ["---\na: |\n\tb\n---\n", 3, "tab characters"],
  ["---\na: b\n- c\n---\n", 3, "this is not YAML"],
  ["---\na: b\n]\n---\n", 3, "this is not YAML"],
  ["---\na:\n  b:\n   - c\n  - d\n---\n", 5, "this is not YAML"],
])("%j is refused at its line", async (text, line, message) => {
  const error = await readFrontMatter(text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DocumentError);
  expect(error).toMatchObject({ message: expect.stringContaining(message), line });
});

test("front matter of any content is read or refused", async () => {
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
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      try {
        await readFrontMatter(`---\n${pieces.join("")}\n---\n`);
      } catch (error) {
        expect(error).toBeInstanceOf(DocumentError);
      }
    }),
    { numRuns: fuzzRuns({ sample: 60, full: 50_000 }) },
  );
});

function _fieldsOf(length: number, field: (index: number) => string): string {
  return `\n${Array.from({ length }, (_, index) => field(index)).join("\n")}`;
}
