import { expect, test } from "vitest";
import { createRedactor } from "../../../src/shared/secrets/redact.ts";
import { cpuMs } from "../../support/cpu-ms.ts";

test("two megabytes of beginnings of tokens are masked in no time", () => {
  const { text } = createRedactor();
  const hostile = "-eyJaaaaaaaaaaa".repeat(140_000);
  expect(cpuMs(() => void text(hostile))).toBeLessThan(1000);
  expect(cpuMs(() => void text("eyJaaaaaaaaaaa.".repeat(140_000)))).toBeLessThan(1000);
});
