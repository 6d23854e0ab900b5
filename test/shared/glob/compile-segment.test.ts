import { expect, test } from "vitest";
import { compileSegment } from "../../../src/shared/glob/compile-segment.ts";

test.each([
  ["[a-c-e]", "abc-e", "d"],
  ["[^a-c]", "d-]", "abc"],
  ["[]a]", "]a", "b["],
  ["[^]a]", "b[", "]a"],
  ["[a-]", "a-", "b"],
  ["[-a]", "a-", "b"],
  ["[\\]]", "]", "\\"],
  ["[\\\\]", "\\", "]"],
  ["[+-\\-]", "+,-", ".\\"],
  ["[\\--/]", "-.", ",0\\"],
])("%s is one of %j, and none of %j", (pattern, members, others) => {
  const matches = compileSegment(pattern);
  expect([...members].filter((character) => !matches(character))).toEqual([]);
  expect([...others].filter((character) => matches(character))).toEqual([]);
});
