import { expect, test } from "vitest";
import { createTextColumn, createTextPages } from "../../../../src/kernel/store/memory/text-pages.ts";

test("every text comes back as it was, whatever its length and wherever a page ends", () => {
  const keep = createTextPages();
  const texts = [
    "",
    "plain",
    "ünï\u0000\u{1f600}",
    ...[1, 1000, 87_381, 87_382, 262_144, 262_145, 400_000, 1_048_576, 3_000_000].flatMap((length) => [
      "a".repeat(length),
      "漢".repeat(length),
    ]),
    ...Array.from({ length: 3000 }, (_, number) => `${number}é`.repeat(number % 700)),
  ];
  const column = createTextColumn();
  for (const text of texts) column.push(keep(text));
  expect(texts.every((text, index) => column.read(index) === text)).toBe(true);
});

test("short texts share a page, and a long one has its own, no larger than it needs", () => {
  const keep = createTextPages();
  const [first, second] = [keep("first"), keep("second")];
  expect(second.page).toBe(first.page);
  const long = keep("é".repeat(1_000_000));
  expect(long.page).not.toBe(first.page);
  expect(long.page).toHaveLength(2_000_000);
  expect(keep("third").page).toBe(first.page);
});
