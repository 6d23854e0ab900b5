import { expect, test } from "vitest";
import { createByteSplitter, type SplitLine } from "../../../src/runtime/search/split-bytes.ts";

const shown = ({ bytes, isWhole }: SplitLine) => [String(bytes), isWhole];

test("splits wherever the chunks end", () => {
  const splitter = createByteSplitter({ maxBytes: 100 });
  const bytes = Buffer.from("one\n\ntwö\nthree");
  const lines = [...bytes].flatMap((byte) => splitter.push(Buffer.from([byte])));
  expect(lines.map(({ bytes }) => String(bytes))).toEqual(["one", "", "twö"]);
  expect(splitter.end().map(shown)).toEqual([["three", true]]);
  expect(splitter.end()).toEqual([]);
});

test("keeps only the beginning of a line that is too long, in one chunk or in many, and goes on with the next", () => {
  const splitter = createByteSplitter({ maxBytes: 10_000 });
  const long = "a".repeat(9000);
  expect(splitter.push(Buffer.from(long))).toEqual([]);
  expect(splitter.push(Buffer.from(long))).toEqual([]);
  expect(splitter.push(Buffer.from(`7\nshort\n${long}${long}\nx`)).map(shown)).toEqual([
    [long.slice(0, 8192), false],
    ["short", true],
    [long.slice(0, 8192), false],
  ]);
  expect(splitter.end().map(shown)).toEqual([["x", true]]);
});
