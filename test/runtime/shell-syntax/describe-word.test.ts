import { expect, test } from "vitest";
import { describeWord } from "../../../src/runtime/shell-syntax/describe-word.ts";
import type { Word } from "../../../src/runtime/shell-syntax/shell-script.ts";
import { showHidden } from "../../../src/runtime/shell-syntax/show-hidden.ts";

const literal = (text: string): Word => ({ kind: "literal", text, source: "" });

test.each<[Word, string]>([
  [literal("src/a.ts"), "src/a.ts"],
  [literal("--depth=1"), "--depth=1"],
  [literal(""), "''"],
  [literal("a b"), "'a b'"],
  [literal("it's"), "'it'\\''s'"],
  [literal("a\nb\tc"), "'a\\nb\\tc'"],
  [literal("a\u202eb"), "'a\\u{202e}b'"],
  [{ kind: "variable", text: "a b", source: "$x" }, "'a b'"],
  [{ kind: "glob", pattern: "src/*.ts", prefix: "src/", source: "src/*.ts" }, "src/*.ts"],
  [
    { kind: "dynamic", prefix: "", source: "$(date)", why: "the output of a command" },
    "$(date) (the output of a command)",
  ],
])("%j is shown as %s", (word, shown) => {
  expect(describeWord(word)).toBe(shown);
});

test("what cannot be seen is written out, what can be stays", () => {
  expect(showHidden("a\r\u001b[2K\u007f\u0085\u200b\u{e0041} é\t😀\n")).toBe(
    "a\\x0d\\x1b[2K\\x7f\\x85\\u{200b}\\u{e0041} é\t😀\n",
  );
});
