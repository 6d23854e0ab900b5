import { expect, test } from "vitest";
import { explainNoMatch } from "../../../../src/capabilities/files/edit/explain-no-match.ts";

const text = [
  "import { readFile } from 'node:fs/promises';",
  "",
  "export function total(items) {",
  "\tlet sum = 0;",
  "\tfor (const item of items) sum += item.price;",
  "\treturn sum;",
  "}",
  "",
].join("\n");

function explain(oldText: string, inText = text) {
  const { code, message, hint } = explainNoMatch(inText, oldText, { path: "a.js" });
  return { code, message, hint };
}

test("the explanation says that only whitespace differs, and shows where", () => {
  expect(explain("let sum=0;\nfor (const item of items)  sum += item.price;")).toEqual({
    code: "no-match",
    message: "the old text is not in a.js: only its whitespace differs from line 4",
    hint: [
      "Copy spaces, tabs and line breaks exactly from the file.",
      "Closest match, lines 4-5:",
      ">     4\t\tlet sum = 0;",
      "      5\t\tfor (const item of items) sum += item.price;",
      'First difference, line 4: the file has "\\tlet sum = 0;", the old text has "let sum=0;".',
    ].join("\n"),
  });
});

test("the explanation says that only upper and lower case differ", () => {
  expect(explain("export function Total(items)").message).toContain("only its upper and lower case differ");
});

test("the explanation says that line numbers were copied along", () => {
  const numbered = "     4\t\tlet sum = 0;\n     5\t\tfor (const item of items) sum += item.price;";
  expect(explain(numbered)).toMatchObject({
    message: expect.stringContaining("line numbers"),
    hint: expect.stringContaining("Leave out the line numbers"),
  });
});

test("the explanation says that escape sequences were not written out", () => {
  expect(explain("\\tlet sum = 0;\\n\\tfor").message).toContain("escape sequences");
});

test("the explanation shows the closest region and the line that first differs", () => {
  const { message, hint } = explain(
    "\tlet sum = 0;\n\tfor (const entry of items) sum += entry.price;\n\treturn sum;",
  );
  expect(message).toBe("the old text is not in a.js; similar lines start at line 4");
  expect(hint).toContain(">     5\t\tfor (const item of items) sum += item.price;");
  expect(hint).toContain("First difference, line 5:");
});

test("the explanation finds a region of which no line is the same", () => {
  expect(explain("for (const item of list) sum += item.cost;").message).toContain("line 5");
});

test("the explanation says when nothing is like the text", () => {
  expect(explain("completely unrelated words")).toMatchObject({
    message: "the old text is not in a.js, nor anything like it",
  });
});

test("the explanation says when the text is empty", () => {
  expect(explain("anything", "").message).toBe("the old text is not in a.js, which is empty");
});

test("the explanation is the same in a file with CRLF", () => {
  const numbered = "     4\t\tlet sum = 0;\n     5\t\tfor (const item of items) sum += item.price;";
  expect(explain(numbered, text.replaceAll("\n", "\r\n")).message).toContain(
    "line numbers; without them it matches line 4",
  );
});

test.each([
  ["HTML entities", "for (a &lt; b &amp;&amp; c)", "for (a < b && c)\n"],
  ["escape sequences", 'say(\\"hi\\")', 'say("hi")\n'],
  ["full-width characters", "f（a）；", "f(a);\n"],
])("the explanation says that %s were written for plain characters", (name, oldText, inText) => {
  expect(explain(oldText, inText).message).toContain(`it contains ${name}`);
});

test("the explanation says which lines were left out, and shows them to the end", () => {
  const { message, hint } = explain("export function total(items) {\n\tlet sum = 0;\n\treturn sum;\n}");
  expect(message).toBe("the old text is not in a.js: it leaves out line 5");
  expect(hint).toContain("Closest match, lines 3-7:");
  expect(hint).toContain("      7\t}");
});

test("the explanation says which lines an ellipsis stands for", () => {
  const long = ["start {", ...Array.from({ length: 20 }, (_, index) => `  step${index}();`), "}", ""].join(
    "\n",
  );
  const { message, hint } = explain("start {\n  step0();\n  // ... existing code ...\n}", long);
  expect(message).toBe('the old text is not in a.js: it has "..." instead of lines 3-21');
  expect(hint).toContain("     22\t}");
});

test("the explanation shows ten lines at most, around the difference, with long lines cut", () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line number ${index} ${"x".repeat(300)}`);
  const oldText = lines.with(30, `another ${lines[30]}`).join("\n");
  const { hint = "" } = explain(oldText, lines.join("\n"));
  const shown = hint.split("\n").filter((line) => /^[> ] +\d+\t/.test(line));
  expect(shown).toHaveLength(10);
  expect(shown[0]).toMatch(/^ +27\t/);
  expect(hint).toMatch(/\n> +31\tline number 30/);
  expect(Math.max(...hint.split("\n").map((line) => line.length))).toBeLessThan(600);
});
