import { expect, test } from "vitest";
import { cleanText } from "../../../src/shared/text/clean-text.ts";

test("a long text is cleaned in time that grows with its length", () => {
  const startedAt = performance.now();
  for (const piece of ["\u200d", "\u001b]", "\u202e", "a\u200d"]) cleanText(piece.repeat(500_000));
  expect(performance.now() - startedAt).toBeLessThan(5000);
});
