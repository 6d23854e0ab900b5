import { expect, test } from "vitest";
import { cutBesideQuotes, readMark } from "../../../src/shared/markdown/cut-beside-quotes.ts";
import { fencedText } from "../../../src/shared/markdown/fenced-text.ts";
import { cutMiddle } from "../../../src/shared/text/cut-middle.ts";
import { markAsMaterial } from "../../../src/shared/text/mark-as-material.ts";
import { forgedIn, hostileText } from "../../support/foreign-text.ts";

const words = "The person's own words. ".repeat(40);
const long = `${hostileText}\n`.repeat(8);
const message = [words, fencedText(long), words, fencedText("plain"), markAsMaterial(long), words].join("\n");

test("wherever a message is cut, nothing that it quotes stands outside of a quotation", () => {
  const shares = [0, 0.2, 0.5, 0.7, 1];
  const cuts = shares.flatMap((headShare) =>
    Array.from({ length: 60 }, (_, index) => ({ maxCharacters: 100 + index * 133, headShare })),
  );
  expect(cuts.some((options) => forgedIn(cutMiddle(message, options).text).length > 0)).toBe(true);
  for (const options of cuts) {
    const { text, omitted } = cutBesideQuotes(message, options);
    expect(forgedIn(text)).toEqual([]);
    expect(omitted).toBe(cutMiddle(message, options).omitted);
  }
});

test("a message without quotations is cut as any other text, and one that fits stays as it is", () => {
  const options = { maxCharacters: 300, headShare: 0.5, note: "all of it is elsewhere" };
  expect(cutBesideQuotes(words, options).text).toBe(cutMiddle(words, options).text);
  expect(cutBesideQuotes("```", options)).toEqual({ text: "```", omitted: 0 });
});

test("only our own marks count in a text that is not Markdown", () => {
  const text = `\`\`\`\n${words.replaceAll(". ", ".\n")}`;
  const options = { maxCharacters: 300, headShare: 0.5 };
  expect(cutBesideQuotes(text, options, readMark).text).toBe(cutMiddle(text, options).text);
  expect(cutBesideQuotes(text, options).text).not.toBe(cutMiddle(text, options).text);
});
