import { expect, test } from "vitest";
import { findVariables } from "../../../src/capabilities/mcp-client/expand-options.ts";
import { cpuMs } from "../../support/cpu-ms.ts";

test("variables without a closing brace are gone through once", () => {
  expect(cpuMs(() => void [...findVariables("${a:-".repeat(200_000))])).toBeLessThan(500);
  expect(cpuMs(() => void [...findVariables("${a".repeat(200_000))])).toBeLessThan(500);
});
