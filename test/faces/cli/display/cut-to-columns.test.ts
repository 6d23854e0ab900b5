import stringWidth from "string-width";
import { expect, test } from "vitest";
import { columnsOf, cutToColumns } from "../../../../src/faces/cli/display/cut-to-columns.ts";

test("a text that fits stays, and one that does not is cut to what the terminal shows in one line", () => {
  expect(cutToColumns("look for it", 11)).toBe("look for it");
  expect(cutToColumns("look for it", 10)).toBe("look for …");
  expect(cutToColumns("查找文件里的字", 14)).toBe("查找文件里的字");
  expect(cutToColumns("查找文件里的字", 13)).toBe("查找文件里的…");
  expect(cutToColumns("查找文件里的字", 12)).toBe("查找文件里…");
  expect(cutToColumns("a😀b", 3)).toBe("a…");
  expect(cutToColumns("look", Number.POSITIVE_INFINITY)).toBe("look");
});

test.each([
  "look for it",
  "查找文件",
  "ファイルを探す",
  "파일 찾기",
  "😀 ok ✓ │ └ ▸ ■",
  "ﬀ ü é ﾊﾝ",
  "𠮷野家",
  "。「」！",
])("%s is as wide as terminals draw it", (text) => {
  expect(columnsOf(text)).toBe(stringWidth(text));
});
