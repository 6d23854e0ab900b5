import { expect, test } from "vitest";
import { cutMiddle } from "../../../src/shared/text/cut-middle.ts";
import { fc } from "../../support/fuzz.ts";

test("a text that fits stays as it is", () => {
  expect(cutMiddle("abc", { maxCharacters: 3, headShare: 0.5 })).toMatchObject({ text: "abc", omitted: 0 });
});

test("head and tail stay, the count is exact and the limit holds, whatever the text", () => {
  const options = fc.record({
    maxCharacters: fc.integer({ min: 80, max: 400 }),
    headShare: fc.constantFrom(0.5, 0.8, 0.2),
  });
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 0, maxLength: 600 }),
      options,
      (text, { maxCharacters, headShare }) => {
        const cut = cutMiddle(text, { maxCharacters, headShare });
        if (text.length <= maxCharacters) return cut.text === text;
        const parts = /^([\s\S]*)\n\n\.\.\. \[truncated (\d+) characters\] \.\.\.\n\n([\s\S]*)$/.exec(
          cut.text,
        )!;
        const [, head = "", count, tail = ""] = parts;
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(Number(count)).toBe(text.length - head.length - tail.length);
        expect(cut.omitted).toBe(Number(count));
        expect(cut.text.length).toBeLessThanOrEqual(maxCharacters);
        expect(cut.text.isWellFormed()).toBe(text.isWellFormed());
        return true;
      },
    ),
  );
});
