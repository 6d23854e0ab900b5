import { expect, test } from "vitest";
import { formatColumns } from "../../../src/cli/display/format-columns.ts";

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
