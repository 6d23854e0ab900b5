import { expect, test } from "vitest";
import { parsePolicyFile } from "../../../../src/kernel/policy/scopes/policy-file.ts";
import { leastBlockMs, maxBlockMs } from "../../../support/longest-block.ts";

test.each([
  ["lines before what is wrong", `${"\n".repeat(100_000)}x`, ":100001: it is not valid JSON"],
  ["rules that are the same", JSON.stringify({ deny: Array<string>(60_000).fill("a") }), ""],
])("a project's policy file with many %s is read in one short turn", async (_what, text, problem) => {
  const ms = await leastBlockMs(() => {
    if (problem === "") expect(parsePolicyFile(text, "policy.json").deny).toHaveLength(60_000);
    else expect(() => parsePolicyFile(text, "policy.json")).toThrow(problem);
  });
  expect(ms).toBeLessThan(maxBlockMs);
});
