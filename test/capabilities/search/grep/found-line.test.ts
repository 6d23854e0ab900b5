import { expect, test } from "vitest";
import { createLineFinder } from "../../../../src/capabilities/search/grep/found-line.ts";
import { createMatchMarks } from "../../../../src/capabilities/search/grep/match-marks.ts";

const marks = createMatchMarks();

/** Lines as they are printed, with `<` and `>` for the marks. */
function find(...lines: (string | Buffer)[]) {
  const findLine = createLineFinder("a", marks);
  return lines.map((line, index) => {
    const bytes = Buffer.from(
      Buffer.from(line).toString("latin1").replaceAll("<", marks.open).replaceAll(">", marks.close),
      "latin1",
    );
    return findLine({ number: 7 + index, isMatch: true, bytes });
  });
}

test("a found line counts matches in characters, not bytes", () => {
  const [line] = find("äöü <foo> 😀 <foo>\r");
  expect(line).toMatchObject({ line: 7, text: "äöü foo 😀 foo", cutBefore: 0, cutAfter: 0 });
  expect(line?.matches.map(([from, to]) => line.text.slice(from, to))).toEqual(["foo", "foo"]);
});

test("a found line counts right around bytes that are no text", () => {
  const [line] = find(Buffer.from("\xff\xfe <foo>", "latin1"));
  expect(line).toMatchObject({ text: "\uFFFD\uFFFD foo", matches: [[3, 6]] });
});

test("a found line marks its part of a match that spans lines, and the end of the last mark is not a line", () => {
  const lines = find("x <foo\r", "", "bar> <end", ">");
  expect(lines.map((line) => line && [line.line, line.text, line.matches])).toEqual([
    [7, "x foo", [[2, 5]]],
    [8, "", []],
    [
      9,
      "bar end",
      [
        [0, 3],
        [4, 7],
      ],
    ],
    undefined,
  ]);
});

test("a found line cuts a long line around its first match, and says how much is missing", () => {
  const [line] = find(`${"a".repeat(1000)}<foo>${"b".repeat(1000)}`);
  expect(line?.text).toHaveLength(500);
  expect(line).toMatchObject({ cutBefore: 900, cutAfter: 603, matches: [[100, 103]] });
});

test("a found line that is cut fills the window at either end, and one of 500 characters stays whole", () => {
  expect(find(`<foo>${"b".repeat(1000)}`)[0]).toMatchObject({
    cutBefore: 0,
    cutAfter: 503,
  });
  expect(find(`${"a".repeat(1000)}<foo>`)[0]).toMatchObject({
    cutBefore: 503,
    cutAfter: 0,
    matches: [[497, 500]],
  });
  expect(find("a".repeat(500))[0]).toMatchObject({ cutBefore: 0, cutAfter: 0 });
});

test("a found line cuts no character in half", () => {
  const text = `${"😀".repeat(400)}<foo>${"😀".repeat(400)}`;
  const [line] = find(text);
  expect(line?.text.isWellFormed()).toBe(true);
  expect(line!.cutBefore + line!.text.length + line!.cutAfter).toBe(text.length - 2);
  const [odd] = find(`a${text}`);
  expect(odd?.text.isWellFormed()).toBe(true);
});

test("a found line has no mark where the match is empty", () => {
  expect(find("<>abc<>")[0]).toMatchObject({ text: "abc", matches: [] });
  const [long] = find(`${"<>b".repeat(1000)}<foo>${"<>b".repeat(1000)}`);
  expect(long).toMatchObject({ cutBefore: 900, cutAfter: 603, matches: [[100, 103]] });
  expect(long?.text).toBe(`${"b".repeat(100)}foo${"b".repeat(397)}`);
});

test("the content of a file is never taken for a mark", () => {
  const other = createMatchMarks();
  const text = `${other.open}x${other.close} `;
  const [line] = find(`${text}<foo>`);
  expect(line).toMatchObject({ text: `${text}foo`, matches: [[text.length, text.length + 3]] });
});

test("a line of megabytes is cut as a short one is, wherever it matches and whatever it holds", () => {
  for (const filler of ["a", "ä", "漢", "😀", "aä漢😀"]) {
    for (const [left, right] of [
      [0, 300_000],
      [300_000, 0],
      [150_000, 150_000],
      [40_000, 100],
      [100, 40_000],
    ] as const) {
      const [before, after] = [filler.repeat(left), filler.repeat(right)];
      const [line] = find(`${before}<foo>${after}<foo`, "bar>");
      const { text, matches, cutBefore, cutAfter } = line!;
      expect(cutBefore + text.length + cutAfter).toBe(before.length + after.length + 6);
      expect(`${before}foo${after}foo`.slice(cutBefore, cutBefore + text.length)).toBe(text);
      expect(text.length).toBeGreaterThanOrEqual(498);
      expect(text.slice(...matches[0]!)).toBe("foo");
    }
  }
});

test("a match that goes on in the next line is known after a long line, too", () => {
  const long = "b".repeat(100_000);
  const [first, second] = find(`<foo>${long}<foo`, "bar> baz");
  expect(first?.matches).toEqual([[0, 3]]);
  expect(second?.matches).toEqual([[0, 3]]);
  const [, other] = find(`<foo>${long}<foo>${long}`, "bar <baz>");
  expect(other?.matches).toEqual([[4, 7]]);
});
