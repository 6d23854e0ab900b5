import { expect, test } from "vitest";
import { findMatch } from "../../../../src/capabilities/files/edit/find-match.ts";
import { plainTypography } from "../../../../src/capabilities/files/fit/typography.ts";
import { fc, fuzzRuns } from "../../../support/fuzz.ts";

const numRuns = fuzzRuns({ sample: 300, full: 20_000 });

function matchedTexts(text: string, oldText: string): { matchedBy: string; texts: string[] } {
  const match = findMatch(text, oldText);
  if (match.kind === "none") return { matchedBy: "none", texts: [] };
  return { matchedBy: match.matchedBy, texts: match.ranges.map(({ start, end }) => text.slice(start, end)) };
}

test("an exact match wins over every other one", () => {
  const text = "a  \nb\n“x”\na\nb\n";
  expect(matchedTexts(text, "a\nb\n")).toEqual({ matchedBy: "exact", texts: ["a\nb\n"] });
});

test("findMatch finds all exact matches that do not overlap", () => {
  expect(findMatch("aaaaa", "aa")).toMatchObject({
    ranges: [
      { start: 0, end: 2 },
      { start: 2, end: 4 },
    ],
  });
});

test("line endings are bridged in both directions and inside of lines", () => {
  expect(matchedTexts("one\r\ntwo\r\n", "ne\ntw")).toEqual({
    matchedBy: "line-endings",
    texts: ["ne\r\ntw"],
  });
  expect(matchedTexts("one\ntwo\n", "one\r\ntwo\r\n")).toEqual({
    matchedBy: "line-endings",
    texts: ["one\ntwo\n"],
  });
  expect(matchedTexts("one\rtwo\r", "one\ntwo")).toEqual({ matchedBy: "line-endings", texts: ["one\rtwo"] });
});

test("a CRLF is never cut in two", () => {
  expect(matchedTexts("a\r\nb\r\n", "\nb")).toEqual({ matchedBy: "line-endings", texts: ["\r\nb"] });
  expect(matchedTexts("a\nb a\r\nb", "\nb")).toEqual({ matchedBy: "line-endings", texts: ["\nb", "\r\nb"] });
});

test("space at line ends is bridged for whole lines, which are taken with it", () => {
  expect(matchedTexts("x\none \t\ntwo  \ny\n", "one\ntwo")).toEqual({
    matchedBy: "trailing-space",
    texts: ["one \t\ntwo  "],
  });
  expect(matchedTexts("one \ntwo\n", "one\ntwo  \n")).toEqual({
    matchedBy: "trailing-space",
    texts: ["one \ntwo\n"],
  });
  expect(matchedTexts("not one \ntwo\n", "one\ntwo\n").matchedBy).toBe("none");
  expect(matchedTexts("one \ntwo more\n", "one\ntwo").matchedBy).toBe("none");
});

test("space at line ends and line endings may differ at once", () => {
  expect(matchedTexts("one \r\ntwo\r\n", "one\ntwo\n")).toEqual({
    matchedBy: "trailing-space",
    texts: ["one \r\ntwo\r\n"],
  });
});

test("the line after a match keeps its indentation", () => {
  expect(matchedTexts("  a\n    b\n  c\n", "a\n  b\n")).toEqual({
    matchedBy: "indentation",
    texts: ["  a\n    b\n"],
  });
});

test("each line may be indented otherwise", () => {
  expect(matchedTexts("  if (a)\n      b();\n", "if (a)\n  b();\n").matchedBy).toBe("indentation");
  expect(matchedTexts("\tif (a)\n\t\tb();\n", "  if (a)\n     b();\n").matchedBy).toBe("indentation");
});

test("typographic quotes, dashes, spaces and the ellipsis count as what a keyboard has", () => {
  const text = "He said: “It’s 1–2\u00a0km…” twice";
  expect(matchedTexts(text, `"It's 1-2 km..."`)).toEqual({
    matchedBy: "punctuation",
    texts: ["“It’s 1–2\u00a0km…”"],
  });
  expect(matchedTexts('say "hi"', "say “hi”")).toEqual({ matchedBy: "punctuation", texts: ['say "hi"'] });
  expect(matchedTexts("wait…", "wait..").matchedBy).toBe("none");
});

test("typography and space around lines may differ at once", () => {
  expect(matchedTexts("“a”  \nb\n", '"a"\nb\n').texts).toEqual(["“a”  \nb\n"]);
  expect(matchedTexts("  “a”\n  b\n", '"a"\nb\n').texts).toEqual(["  “a”\n  b\n"]);
});

test("other words, other letters and other signs are never a match", () => {
  const text = "const total = count + 1;\nreturn total;\n";
  for (const oldText of [
    "const total = count + 2;",
    "const Total = count + 1;",
    "const total = count +1;",
    "const total = count + 1,\n",
    "const total  = count + 1;",
    "return total\n",
    "return\n total;",
  ]) {
    expect(findMatch(text, oldText)).toEqual({ kind: "none" });
  }
});

test("an old text of nothing but space matches only as it is", () => {
  expect(findMatch("a\n\nb\n", "  \n")).toEqual({ kind: "none" });
  expect(findMatch("a\n\nb\n", "")).toEqual({ kind: "none" });
});

const line = fc.string({
  unit: fc.constantFrom("a", "b", "{", " ", "\t", "'", "’", "-", "—", "…", "."),
  maxLength: 6,
});
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
const text = fc
  .array(fc.tuple(line, lineEnd), { maxLength: 8 })
  .map((lines) => lines.map((parts) => parts.join("")).join(""));

function essence(part: string): string {
  return plainTypography(part).replace(/\s+/g, "");
}

test("a match has the same words and signs as the text that was searched for", () => {
  fc.assert(
    fc.property(text, text, (haystack, oldText) => {
      const match = findMatch(haystack, oldText);
      if (match.kind === "none") return;
      let previousEnd = 0;
      for (const { start, end } of match.ranges) {
        expect(start).toBeGreaterThanOrEqual(previousEnd);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(haystack.length);
        expect(essence(haystack.slice(start, end))).toBe(essence(oldText));
        previousEnd = end;
      }
    }),
    { numRuns },
  );
});

test("whole lines are found again however their line ends and the space around them were changed", () => {
  const words = fc.string({ unit: fc.constantFrom("a", "b", "c", "(", ")"), minLength: 1, maxLength: 5 });
  const shaped = fc.array(
    fc.record({ word: words, depth: fc.nat(3), space: fc.constantFrom("", " ", "\t ") }),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  fc.assert(
    fc.property(shaped, lineEnd, fc.nat(4), (lines, end, shift) => {
      const original = lines.map(({ word, depth, space }) => "  ".repeat(depth + shift) + word + space + end);
      const searched = lines.map(({ word, depth }) => `${"  ".repeat(depth)}${word}\n`).join("");
      const haystack = `%%${end}${original.join("")}%%${end}`;
      const match = findMatch(haystack, searched);
      expect(match.kind).toBe("found");
      if (match.kind === "found" && lines.length > 1) {
        expect(match.ranges.map(({ start, end }) => haystack.slice(start, end)).join("")).toContain(
          original.at(-1)!.trim(),
        );
      }
    }),
    { numRuns },
  );
});
