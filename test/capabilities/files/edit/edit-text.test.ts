import { expect, test } from "vitest";
import type { TextEdit } from "../../../../src/capabilities/files/edit/edit-text.ts";
import { ToolError } from "../../../../src/tool/tool-error.ts";
import { editText } from "../../../support/edit-text.ts";
import { fc, fuzzRuns } from "../../../support/fuzz.ts";

const numRuns = fuzzRuns({ sample: 150, full: 20_000 });

function refusal(text: string, edit: TextEdit): ToolError {
  try {
    editText(text, edit, { path: "a.ts" });
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error("the edit was made");
}

test("an edit replaces a text literally, whatever signs are in it", () => {
  const newText = "$& $$ $1 $` $' \\n";
  expect(editText("a.b a+b", { oldText: "a.b", newText })).toEqual({
    text: `${newText} a+b`,
    replacements: 1,
    matchedBy: "exact",
    lines: [1],
    changes: [{ start: 0, end: 3, newStart: 0, newEnd: newText.length }],
  });
});

test("an edit replaces all matches if asked to, and returns the line of each", () => {
  const outcome = editText("x\ny\nx x\n", { oldText: "x", newText: "1\n2", replaceAll: true });
  expect(outcome).toMatchObject({ text: "1\n2\ny\n1\n2 1\n2\n", replacements: 3, lines: [1, 4, 5] });
});

test("an edit with an empty new text deletes", () => {
  expect(editText("one two", { oldText: " two", newText: "" }).text).toBe("one");
});

test("an empty old text is refused with the way to write a file", () => {
  const error = refusal("abc", { oldText: "", newText: "x", replaceAll: true });
  expect(error).toMatchObject({ code: "invalid-input", hint: expect.stringContaining("writes files") });
});

test("an edit that changes nothing is refused", () => {
  expect(refusal("abc", { oldText: "b", newText: "b" }).code).toBe("invalid-input");
  expect(refusal("a \nb", { oldText: "a\nb", newText: "a \nb" })).toMatchObject({
    code: "invalid-input",
    message: expect.stringContaining("already has the new text"),
  });
});

test("half of a character is refused on both sides", () => {
  expect(refusal("😀", { oldText: "\ud83d", newText: "x" }).code).toBe("invalid-input");
  expect(refusal("abc", { oldText: "b", newText: "\ude00" }).code).toBe("invalid-input");
});

test("several matches are refused with the lines of all of them", () => {
  const error = refusal("x\n\nx\nx x\n", { oldText: "x", newText: "y" });
  expect(error).toMatchObject({ code: "ambiguous-match", hint: expect.stringContaining("replace all") });
  expect(error.message).toBe("the old text occurs 4 times in a.ts, at lines 1, 3, 4, 4");
});

test("of very many matches fifty lines are listed, and the number of the others", () => {
  const { message } = refusal("x\n".repeat(120), { oldText: "x", newText: "y" });
  expect(message).toMatch(/120 times in a\.ts, at lines 1, 2, .*49, 50 and 70 more$/);
});

test("matches that are not exact must be unique too", () => {
  const error = refusal("  f(\n  );\n    f(\n    );\n", { oldText: "f(\n);\n", newText: "g();\n" });
  expect(error).toMatchObject({ code: "ambiguous-match" });
  expect(error.message).toContain("ignoring indentation");
});

test("places that overlap are more than one, however the old text is found", () => {
  const overlaps: [text: string, oldText: string][] = [
    ["aaa", "aa"],
    ["x\nabcabca\n", "abca"],
    ["a\nb\na\nb\na\n", "a\nb\na\n"],
    ["a\r\nb\r\na\r\nb\r\na\r\n", "a\nb\na\n"],
    ["  }\n\n  }\n\n  }\n", "}\n\n}\n"],
    ["“a” “a” “a”", '"a" "a"'],
  ];
  for (const [text, oldText] of overlaps) {
    const error = refusal(text, { oldText, newText: oldText.endsWith("\n") ? "z\n" : "z" });
    expect(error, text).toMatchObject({
      code: "ambiguous-match",
      message: expect.stringContaining("2 times"),
    });
    expect(editText(text, { oldText, newText: "z", replaceAll: true }).replacements, text).toBe(1);
  }
  expect(editText("aab", { oldText: "aa", newText: "z" }).text).toBe("zb");
  expect(editText("  }\n\n  }\n", { oldText: "}\n\n}\n", newText: "z\n" }).text).toBe("  z\n");
});

test("the new text takes the line endings of a file that has one kind", () => {
  const edit = { oldText: "b", newText: "b1\nb2" };
  expect(editText("a\r\nb\r\n", edit).text).toBe("a\r\nb1\r\nb2\r\n");
  expect(editText("a\rb\r", edit).text).toBe("a\rb1\rb2\r");
  expect(editText("a\nb\r\nc", edit).text).toBe("a\nb1\nb2\r\nc");
});

test("the new text takes the line endings of the place where the old one was found", () => {
  expect(editText("a\r\nb\r\nc\n", { oldText: "a\nb\n", newText: "x\ny\nz\n" })).toMatchObject({
    text: "x\r\ny\r\nz\r\nc\n",
    matchedBy: "line-endings",
  });
  expect(editText("a\nb\n", { oldText: "a\r\nb", newText: "x\r\ny" }).text).toBe("x\ny\n");
  expect(editText("a\r\nb\r\n", { oldText: "\nb", newText: "\nx" }).text).toBe("a\r\nx\r\n");
  expect(editText("a\r\nb\r\n", { oldText: "\n", newText: ";", replaceAll: true }).text).toBe("a;b;");
});

test("line endings themselves can be replaced", () => {
  const edit = { oldText: "\r\n", newText: "\n", replaceAll: true };
  expect(editText("a\r\nb\r\n", edit)).toMatchObject({ text: "a\nb\n", replacements: 2 });
});

test("an edit leaves all text outside the match alone, and takes the quotes of the file", () => {
  const text = "“one”  \r\n  f(“x”) \n“two”\u00a0\n";
  expect(editText(text, { oldText: 'f("x")', newText: 'g("y")' })).toMatchObject({
    text: "“one”  \r\n  g(“y”) \n“two”\u00a0\n",
    matchedBy: "punctuation",
  });
});

test("the new text is indented as the place where the old one was found", () => {
  const text = "class A:\n    def f(self):\n        return 1\n";
  const edit = {
    oldText: "def f(self):\n    return 1\n",
    newText: "def f(self):\n    if x:\n        return 2\n",
  };
  expect(editText(text, edit)).toMatchObject({
    text: "class A:\n    def f(self):\n        if x:\n            return 2\n",
    matchedBy: "indentation",
    lines: [2],
  });
});

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom("a", "b", "$", "&", "\n", "\r\n", " ", "“"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
  maxLength: 40,
});

test("any edit of any text equals taking it apart and joining it again", () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, anyText, (before, oldText, after, newText) => {
      fc.pre(oldText !== "" && oldText !== newText && !/[\r\n]/.test(before + oldText + after + newText));
      const text = before + oldText + after;
      const parts = text.split(oldText);
      fc.pre(parts.join(newText) !== text);
      expect(editText(text, { oldText, newText, replaceAll: true })).toMatchObject({
        text: parts.join(newText),
        replacements: parts.length - 1,
        matchedBy: "exact",
      });
      if (parts.length > 2) expect(refusal(text, { oldText, newText }).code).toBe("ambiguous-match");
    }),
    { numRuns },
  );
});

test("the changes tell how to take any edit back", () => {
  fc.assert(
    fc.property(anyText, fc.nat(), fc.nat(), anyText, (text, from, length, newText) => {
      const start = text.length === 0 ? 0 : from % text.length;
      const oldText = text.slice(start, start + 1 + (length % 10));
      const edit = { oldText, newText, replaceAll: true };
      fc.pre(oldText !== "" && oldText.isWellFormed() && oldText !== newText);
      let outcome: ReturnType<typeof editText>;
      try {
        outcome = editText(text, edit);
      } catch (error) {
        expect(["invalid-input", "ambiguous-match"]).toContain((error as ToolError).code);
        return;
      }
      let restored = outcome.text;
      for (const { start, end, newStart, newEnd } of outcome.changes.toReversed()) {
        restored = restored.slice(0, newStart) + text.slice(start, end) + restored.slice(newEnd);
      }
      expect(restored).toBe(text);
    }),
    { numRuns },
  );
});
