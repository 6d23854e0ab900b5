import { expect, test } from "vitest";
import { readArguments } from "../../src/formats/read-arguments.ts";

test.each([
  ["", {}],
  [" \n", {}],
  [undefined, {}],
  [null, {}],
  ['{"a":1}', { a: 1 }],
  ['"{\\"a\\":1}"', { a: 1 }],
  ['```json\n{"a":[1,],}\n```', { a: [1] }],
  [{ a: 1 }, { a: 1 }],
])("%j is read", (given, input) => {
  expect(readArguments(given)).toEqual({ input });
});

test.each(['{"path":"a","text":"hel', '{"path":"a"', '{"path":"a","recursive":true', '{"list":[1,2]', "{"])(
  "%j is cut off, and never completed",
  (given) => {
    const { input, inputProblem } = readArguments(given);
    expect(input).toBe(given);
    expect(inputProblem).toContain("the arguments are cut off");
  },
);

test("text that is not JSON is told with the place where it goes wrong", () => {
  expect(readArguments("{'a': 1}").inputProblem).toMatch(
    /^the arguments are not valid JSON \(.*position 1.*one JSON object$/,
  );
  expect(readArguments("read a.txt").inputProblem).toContain("not valid JSON");
});

test("arguments that are too long are refused", () => {
  expect(readArguments(`"${"x".repeat(2_000_001)}"`).inputProblem).toContain("longer than 2000000");
});

test("arguments with more names or depth than any tool has are refused before they are parsed", () => {
  const names = Array.from({ length: 30_000 }, (_, index) => `"a${index}":1`).join(",");
  for (const text of [
    `{${names}}`,
    JSON.stringify(`{${names}}`),
    `{"a":${"[".repeat(200)}${"]".repeat(200)}}`,
  ]) {
    const { input, inputProblem } = readArguments(text);
    expect([typeof input, typeof inputProblem]).toEqual(["string", "string"]);
  }
  expect(readArguments(`{${names}}`).inputProblem).toBe(
    "the arguments cannot be taken: it has more than 20000 values",
  );
});
