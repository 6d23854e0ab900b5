import { expect, test } from "vitest";
import { createFormCheck } from "../../../src/tool/forms/form-check.ts";
import { cpuMs } from "../../support/cpu-ms.ts";

test("a text made to be slow to check is not", () => {
  const check = createFormCheck({ value: { type: "string", format: "email" } });
  const value = `${"a@".repeat(50_000)}${"b.".repeat(50_000)}`;
  expect(cpuMs(() => expect(check({ value }).ok).toBe(false))).toBeLessThan(1000);
});
