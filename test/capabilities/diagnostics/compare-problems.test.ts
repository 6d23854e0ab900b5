import { expect, test } from "vitest";
import type { Problem } from "../../../src/capabilities/diagnostics/checker.ts";
import { createComparison } from "../../../src/capabilities/diagnostics/compare-problems.ts";

const inHeader = (message: string): Problem => ({ path: "/a.h", line: 1, severity: "warning", message });

test("a run on some files leaves what is known of the others as it was: it may tell only a part of it", () => {
  const compare = createComparison({ isWhole: false });
  const all = [inHeader("one"), inHeader("two")];
  expect(compare(all, new Set(["/a.h"])).fresh).toEqual(all);
  compare([inHeader("one")], new Set(["/a.c"]));
  expect(compare(all, new Set(["/a.h"]))).toMatchObject({ fresh: [], before: 2 });
});
