import { posix } from "node:path";
import { expect, test } from "vitest";
import { pathMatcher } from "../../../../src/kernel/policy/rules/path-matcher.ts";
import type { RulePath } from "../../../../src/kernel/policy/rules/rule.ts";

const inside = (relative: string): RulePath => ({ relative, absolute: posix.join("/project", relative) });

test("no pattern can hold up the process", () => {
  const matches = pathMatcher(`${"**/".repeat(300)}${"*a".repeat(1000)}*b`, "permissions.deny");
  const startedMs = performance.now();
  for (let count = 0; count < 100; count += 1)
    expect(matches(inside(`${"aa/".repeat(50)}${"a".repeat(250)}`))).toBe(false);
  expect(performance.now() - startedMs).toBeLessThan(5000);
});
