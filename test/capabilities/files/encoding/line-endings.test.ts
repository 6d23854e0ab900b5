import { expect, test } from "vitest";
import { withLineEnding } from "../../../../src/capabilities/files/encoding/line-endings.ts";
import { fc } from "../../../support/fuzz.ts";

const ends = { lf: "\n", crlf: "\r\n", cr: "\r" } as const;

test("the line endings of a long text are converted like those of a short one", () => {
  const pieces = fc.array(fc.constantFrom("\r", "\n", "\r\n", "a", "é", "\u{1f600}", "\ud800"), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(pieces, fc.constantFrom("lf", "crlf", "cr"), (parts, ending) => {
      const text = `x${parts.join("")}x`;
      const times = Math.ceil(110_000 / text.length);
      const expected = text.replace(/\r\n?|\n/g, ends[ending]).repeat(times);
      expect(withLineEnding(text.repeat(times), ending) === expected, JSON.stringify(text)).toBe(true);
    }),
    { numRuns: 60 },
  );
});
