import { expect, test } from "vitest";
import { explainNoMatch } from "../../../../src/capabilities/files/edit/explain-no-match.ts";
import { cpuMs } from "../../../support/cpu-ms.ts";

function explain(oldText: string, inText: string) {
  return explainNoMatch(inText, oldText, { path: "a.js" });
}

test("a huge text is explained in little time, even if it is one line", () => {
  const oldText = "const value = compute(a, c);\nneedle without a match";
  const takenMs = cpuMs(() => {
    explain(oldText, "const value = compute(a, b);\n".repeat(1_000_000));
    explain(oldText, "const value = compute(a, b); ".repeat(1_000_000));
    explain("const value\n".repeat(5_000), "const value = compute(a, b);\n".repeat(1_000_000));
  });
  expect(takenMs).toBeLessThan(5_000);
});
