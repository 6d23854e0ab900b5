import { expect, test } from "vitest";
import { createStarMatcher } from "../../../src/shared/glob/star-matcher.ts";

test("a star matcher says of every short pattern and text the same as the expression it stands for", () => {
  const patterns = words("ab*", 5);
  const texts = words("ab", 6);
  for (const pattern of patterns) {
    const matches = createStarMatcher(pattern);
    const expression = new RegExp(`^${pattern.replaceAll("*", ".*")}$`);
    const different = texts.filter((text) => matches(text) !== expression.test(text));
    expect([pattern, different]).toEqual([pattern, []]);
  }
});

test("what means something in expressions means itself, and a line break is a character like any other", () => {
  expect(createStarMatcher("a.b(*)")("a.b(c)")).toBe(true);
  expect(createStarMatcher("a.b")("axb")).toBe(false);
  expect(createStarMatcher("a*b")("a\nb")).toBe(true);
});

test("many stars cost no more than few", () => {
  const matches = createStarMatcher(`${"*a".repeat(5000)}b`);
  expect(matches("a".repeat(1_000_000))).toBe(false);
});

/** All words of up to so many of these letters. */
function words(letters: string, most: number): string[] {
  let last = [""];
  const all = [""];
  for (let length = 1; length <= most; length++) {
    last = last.flatMap((word) => [...letters].map((letter) => word + letter));
    all.push(...last);
  }
  return all;
}
