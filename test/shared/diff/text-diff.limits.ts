import { expect, test } from "vitest";
import { unifiedDiff } from "../../../src/shared/diff/text-diff.ts";
import { editText } from "../../support/edit-text.ts";

test("two changes far apart in a huge text take little time when they are known", async () => {
  const before = `first\n${"const value = compute(a, b);\n".repeat(500_000)}first\n`;
  const { text: after, changes } = editText(before, {
    oldText: "first",
    newText: "second",
    replaceAll: true,
  });
  const start = performance.now();
  const { diff, added } = await unifiedDiff("huge.txt", before, after, { changes });
  expect(performance.now() - start).toBeLessThan(2_000);
  expect(added).toBe(2);
  expect(diff).toMatch(/@@ -1,4 \+1,4 @@\n-first\n\+second\n/);
  expect(diff).toMatch(/@@ -499999,4 \+499999,4 @@\n/);
});
