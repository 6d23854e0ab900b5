import { expect, test } from "vitest";
import { createTextSplitter } from "../../../../src/capabilities/search/find-names.ts";

test("the splitter of text finds the same pieces wherever the chunks end, also inside a character", () => {
  const splitter = createTextSplitter({ separator: "\n", maxCharacters: 100 });
  const bytes = Buffer.from("one\ntwö\nthree");
  const pieces = [...bytes].flatMap((byte) => splitter.push(Buffer.from([byte])));
  expect(pieces).toEqual(["one", "twö"]);
  expect(splitter.end()).toBe("three");
});

test("the splitter of text drops a piece that is too long, and goes on with the next", () => {
  const splitter = createTextSplitter({ separator: "\n", maxCharacters: 5 });
  expect(splitter.push(Buffer.from("123"))).toEqual([]);
  expect(splitter.push(Buffer.from("456"))).toEqual([]);
  expect(splitter.push(Buffer.from("7\nshort\ntoo long\nx"))).toEqual([undefined, "short", undefined]);
  expect(splitter.end()).toBe("x");
});
