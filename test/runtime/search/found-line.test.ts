import { expect, test } from "vitest";
import { toFoundLines } from "../../../src/runtime/search/found-line.ts";

function find(content: string | Buffer, matches: { start: number; end: number }[]) {
  return toFoundLines({ path: "a", firstLine: 7, isMatch: true, content, matches });
}

test("counts matches in characters, not bytes", () => {
  const [line] = find("äöü foo 😀 foo\r\n", [
    { start: 7, end: 10 },
    { start: 16, end: 19 },
  ]);
  expect(line).toMatchObject({ line: 7, text: "äöü foo 😀 foo", cutBefore: 0, cutAfter: 0 });
  expect(line?.matches.map(([from, to]) => line.text.slice(from, to))).toEqual(["foo", "foo"]);
});

test("counts right around bytes that are no text", () => {
  const [line] = find(Buffer.from("\xff\xfe foo\n", "latin1"), [{ start: 3, end: 6 }]);
  expect(line).toMatchObject({ text: "\uFFFD\uFFFD foo", matches: [[3, 6]] });
});

test("gives a match that spans lines line by line, whatever ends them", () => {
  const lines = find("x foo\r\nbar\nend\n", [{ start: 2, end: 10 }]);
  expect(lines.map(({ line, text, matches }) => [line, text, matches])).toEqual([
    [7, "x foo", [[2, 5]]],
    [8, "bar", [[0, 3]]],
    [9, "end", []],
  ]);
});

test("cuts a long line around its first match, and says how much is missing", () => {
  const [line] = find(`${"a".repeat(1000)}foo${"b".repeat(1000)}`, [{ start: 1000, end: 1003 }]);
  expect(line?.text).toHaveLength(500);
  expect(line).toMatchObject({ cutBefore: 900, cutAfter: 603, matches: [[100, 103]] });
});

test("fills the window at either end of the line, and leaves 500 characters whole", () => {
  expect(find(`foo${"b".repeat(1000)}`, [{ start: 0, end: 3 }])[0]).toMatchObject({
    cutBefore: 0,
    cutAfter: 503,
  });
  expect(find(`${"a".repeat(1000)}foo`, [{ start: 1000, end: 1003 }])[0]).toMatchObject({
    cutBefore: 503,
    cutAfter: 0,
    matches: [[497, 500]],
  });
  expect(find("a".repeat(500), [])[0]).toMatchObject({ cutBefore: 0, cutAfter: 0 });
});

test("cuts no character in half", () => {
  const text = `${"😀".repeat(400)}foo${"😀".repeat(400)}`;
  const [line] = find(text, [{ start: 1600, end: 1603 }]);
  expect(line?.text.isWellFormed()).toBe(true);
  expect(line!.cutBefore + line!.text.length + line!.cutAfter).toBe(text.length);
  const [odd] = find(`a${text}`, [{ start: 1601, end: 1604 }]);
  expect(odd?.text.isWellFormed()).toBe(true);
});

test("marks nothing where the match is empty", () => {
  expect(find("abc\n", [{ start: 0, end: 0 }])[0]).toMatchObject({ text: "abc", matches: [] });
});
