import { expect, test } from "vitest";
import { formatColumns, wrapText } from "../../../../src/faces/cli/display/format-columns.ts";

test("columns stand under each other, and the last is as long as it likes", async () => {
  expect(
    await formatColumns([
      ["a", "one"],
      ["long", "two words"],
    ]),
  ).toBe("a     one\nlong  two words");
});

test("a full-width character takes two columns, a combining one none", async () => {
  const rows = [
    ["工具", "tool"],
    ["ｱ", "half-width"],
    ["e\u0301", "accent"],
  ];
  expect(await formatColumns(rows)).toBe("工具  tool\nｱ     half-width\ne\u0301     accent");
});

test("colours take no room", async () => {
  expect(
    await formatColumns([
      ["\x1b[31mred\x1b[39m", "x"],
      ["plain", "y"],
    ]),
  ).toBe("\x1b[31mred\x1b[39m    x\nplain  y");
});

test("on a screen, the last cell goes on below its column, between words", async () => {
  const rows = [["check", "what was found is longer than the screen, unlike /a/path/that/is/longer/than/it"]];
  expect(await formatColumns(rows, { columns: 40 })).toBe(
    [
      "check  what was found is longer than the",
      "       screen, unlike",
      "       /a/path/that/is/longer/than/it",
    ].join("\n"),
  );
});

test("where the other cells leave hardly any room, the last ones stand below", async () => {
  const rows = [
    ["Read", "read-only, parallel", "Read a text file, an image, or the cells of a notebook."],
    ["Bash", "destructive", "Run it."],
  ];
  expect(await formatColumns(rows, { columns: 40 })).toBe(
    [
      "Read  read-only, parallel",
      "    Read a text file, an image, or the",
      "    cells of a notebook.",
      "Bash  destructive",
      "    Run it.",
    ].join("\n"),
  );
});

test("a text is wrapped between words, and what is explained beside a word stays beside it", async () => {
  const text = "What it does, in one long sentence.\nlint    finds rules that cannot be used\n\nshort";
  expect(await wrapText(text, 24)).toBe(
    [
      "What it does, in one",
      "long sentence.",
      "lint    finds rules that",
      "        cannot be used",
      "",
      "short",
    ].join("\n"),
  );
});
