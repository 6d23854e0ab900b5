import { expect, test } from "vitest";
import { plainText } from "../../../src/shared/text/plain-text.ts";

test.each(["\x1b]", "\x9d", "\x1bP", "\x1b[", "\b", "\r", "a\b", "a\r", "\x1b]0;\n", "\x9da"])(
  "a great deal of %j takes no great deal of time",
  (piece) => {
    const startedAt = performance.now();
    plainText(piece.repeat(400_000 / piece.length));
    expect(performance.now() - startedAt).toBeLessThan(2000);
  },
);
