import { expect, test } from "vitest";
import { createByteSplitter, type SplitLine } from "../../../../src/capabilities/search/grep/read-matches.ts";

const shown = ({ bytes, isWhole }: SplitLine) => [String(bytes), isWhole];

test("the splitter of lines finds the same lines wherever the chunks end", () => {
  const splitter = createByteSplitter({ maxBytes: 100 });
  const bytes = Buffer.from("one\n\ntwö\nthree");
  const lines = [...bytes].flatMap((byte) => splitter.push(Buffer.from([byte])).map(shown));
  expect(lines.map(([text]) => text)).toEqual(["one", "", "twö"]);
  expect(splitter.end().map(shown)).toEqual([["three", true]]);
  expect(splitter.end()).toEqual([]);
});

test("the splitter of lines keeps only the beginning of a line that is too long, in one chunk or in many, and goes on with the next", () => {
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

test("a line from several chunks stays as it is while the others of its last chunk are looked at", () => {
  const splitter = createByteSplitter({ maxBytes: 100 });
  expect(splitter.push(Buffer.from("first "))).toEqual([]);
  expect(splitter.push(Buffer.from("line\nsecond\nthi")).map(shown)).toEqual([
    ["first line", true],
    ["second", true],
  ]);
  expect(splitter.push(Buffer.from("rd\n")).map(shown)).toEqual([["third", true]]);
  expect(splitter.end()).toEqual([]);
});

test("the splitter of lines finds the same lines as splitting the whole would, wherever chunks end and however long lines are", () => {
  const lengths = [0, 1, 70_000, 3, 100_000, 100_001, 300_000, 5, 99_999];
  const whole = lengths.map((length, index) => String(index).repeat(length));
  const bytes = Buffer.from(whole.map((line) => `${line}\n`).join(""));
  for (const size of [1000, 65_536, 250_000, bytes.length]) {
    const splitter = createByteSplitter({ maxBytes: 100_000 });
    const found: unknown[] = [];
    for (let at = 0; at < bytes.length; at += size)
      found.push(...splitter.push(bytes.subarray(at, at + size)).map(shown));
    expect(found).toEqual(
      whole.map((line) => (line.length <= 100_000 ? [line, true] : [line.slice(0, 8192), false])),
    );
  }
});
