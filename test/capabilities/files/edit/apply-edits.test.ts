import { expect, test } from "vitest";
import { composeChanges } from "../../../../src/capabilities/files/edit/apply-edits.ts";
import { replaceRanges, type TextChange } from "../../../../src/shared/diff/text-change.ts";
import { applyEdits } from "../../../support/edit-text.ts";
import { fc, fuzzRuns } from "../../../support/fuzz.ts";

test("each edit works on what the ones before left, and is reported", () => {
  const outcome = applyEdits("one\ntwo  \nthree\n", [
    { oldText: "one", newText: "1\n1" },
    { oldText: "1", newText: "one", replaceAll: true },
    { oldText: "two\nthree", newText: "2" },
  ]);
  expect(outcome.text).toBe("one\none\n2\n");
  expect(outcome.reports).toEqual([
    { replacements: 1, matchedBy: "exact", lines: [1] },
    { replacements: 2, matchedBy: "exact", lines: [1, 2] },
    { replacements: 1, matchedBy: "trailing-space", lines: [3] },
  ]);
});

test("one edit that fails is named, and nothing is given back", () => {
  const edits = [
    { oldText: "one", newText: "1" },
    { oldText: "one", newText: "2" },
  ];
  expect(() => applyEdits("one", edits, { path: "a.txt" })).toThrow(
    expect.objectContaining({
      code: "no-match",
      message: expect.stringMatching(/^edit 2 of 2: the old text is not in a\.txt.*no edits were made$/),
    }),
  );
});

test("the error of a single edit has no number", () => {
  expect(() => applyEdits("one", [{ oldText: "x", newText: "1" }])).toThrow(/^the old text/);
});

test("the changes lead from the first text to the last", () => {
  const { text, changes } = applyEdits("abcdef", [
    { oldText: "bc", newText: "XYZ" },
    { oldText: "Zd", newText: "" },
    { oldText: "f", newText: "F" },
  ]);
  expect(text).toBe("aXYeF");
  expect(changes).toEqual([
    { start: 1, end: 4, newStart: 1, newEnd: 3 },
    { start: 5, end: 6, newStart: 4, newEnd: 5 },
  ]);
});

test("changes of two steps, put together, make of the first text the last one", () => {
  const cuts = fc.array(fc.tuple(fc.nat(12), fc.string({ maxLength: 4 })), { maxLength: 5 });
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), cuts, cuts, (text, firstCuts, secondCuts) => {
      const first = replaceSome(text, firstCuts);
      const second = replaceSome(first.text, secondCuts);
      const composed = composeChanges(first.changes, second.changes);
      const replacements = composed.map(({ start, end, newStart, newEnd }) => ({
        start,
        end,
        text: second.text.slice(newStart, newEnd),
      }));
      expect(replaceRanges(text, replacements)).toEqual({ text: second.text, changes: composed });
    }),
    { numRuns: fuzzRuns({ sample: 200, full: 50_000 }) },
  );
});

function replaceSome(
  text: string,
  cuts: readonly (readonly [number, string])[],
): { text: string; changes: TextChange[] } {
  const offsets = [...cuts.map(([offset]) => Math.min(offset, text.length)), 0].sort((a, b) => a - b);
  const replacements = cuts.map(([, replacement], index) => ({
    start: offsets[index]!,
    end: offsets[index + 1]!,
    text: replacement,
  }));
  return replaceRanges(text, replacements);
}
