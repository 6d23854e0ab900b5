import { describe, expect, test } from "vitest";
import { nearestNames } from "../../../src/shared/text/nearest-names.ts";
import { fc } from "../../support/fuzz.ts";

const tools = [
  "file_read",
  "file_write",
  "file_edit",
  "search_grep",
  "search_glob",
  "shell_run",
  "web_fetch",
];

describe("nearestNames", () => {
  test("another single letter is not a misspelling", () => {
    expect(nearestNames("c", ["a", "b"])).toEqual([]);
  });

  test.each([
    ["file_raed", "file_read", "two letters swapped"],
    ["file_rea", "file_read", "a letter missing"],
    ["file_reaad", "file_read", "a letter too many"],
    ["file_resd", "file_read", "a wrong letter"],
    ["FILE_READ", "file_read", "another case"],
    ["read_file", "file_read", "the words in another order"],
    ["file-read", "file_read", "a hyphen for an underscore"],
    ["grep", "search_grep", "only one of the words"],
    ["shell_run_command", "shell_run", "a longer name"],
    ["web_get", "web_fetch", "half of the words"],
  ])("%s suggests %s: %s", (wanted, expected) => {
    expect(nearestNames(wanted, tools)[0]).toBe(expected);
  });

  test.each(["", "zebra", "x", "calculate_tax", "__proto__", "y".repeat(100_000)])(
    "nothing is close to %.20s",
    (wanted) => {
      expect(nearestNames(wanted, tools)).toEqual([]);
    },
  );

  test("gives the best first and no more than asked for", () => {
    const candidates = ["file_reads", "file_head", "file_read", "file_need"];
    expect(nearestNames("file_reed", candidates, 1)).toEqual(["file_need"]);
    expect(nearestNames("file_reed", candidates)).toEqual(["file_need", "file_read", "file_head"]);
  });

  test("names that are equally close come in alphabetical order, however they were listed", () => {
    expect(nearestNames("tool_c", ["tool_b", "tool_a"])).toEqual(["tool_a", "tool_b"]);
    expect(nearestNames("tool_c", ["tool_a", "tool_b"])).toEqual(["tool_a", "tool_b"]);
  });

  test("keeps the candidate's own spelling", () => {
    expect(nearestNames("webfetch", ["WebFetch"])).toEqual(["WebFetch"]);
  });

  test("finds every name within the edits its length allows, and none beyond them", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 14 });
    fc.assert(
      fc.property(letters, letters, (wanted, offered) => {
        fc.pre(!wanted.includes(offered) && !offered.includes(wanted));
        const limit = Math.min(4, wanted.length - 1, Math.max(1, Math.floor(wanted.length / 3)));
        const isClose = countEdits(wanted, offered) <= limit;
        expect(nearestNames(wanted, [offered])).toEqual(isClose ? [offered] : []);
      }),
      { numRuns: 2000 },
    );
  });
});

/** The whole table, without a band: slow and plain. */
function countEdits(left: string, right: string): number {
  const table = Array.from({ length: left.length + 1 }, (_, row) => [row]);
  for (let column = 0; column <= right.length; column++) table[0]![column] = column;
  for (let row = 1; row <= left.length; row++) {
    for (let column = 1; column <= right.length; column++) {
      const replaced = table[row - 1]![column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1);
      let cost = Math.min(replaced, table[row - 1]![column]! + 1, table[row]![column - 1]! + 1);
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && isSwap) cost = Math.min(cost, table[row - 2]![column - 2]! + 1);
      table[row]![column] = cost;
    }
  }
  return table[left.length]![right.length]!;
}
