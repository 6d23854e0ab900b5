import { expect, test } from "vitest";
import { backoffMs } from "../../../../src/capabilities/mcp-client/connection/server-link.ts";

test("each attempt waits longer than the last, up to a minute, and not all servers at the same time", () => {
  const longest = Array.from({ length: 12 }, (_, index) => backoffMs(index + 1, () => 1));
  expect(longest).toEqual([
    500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000, 60_000,
  ]);
  expect(backoffMs(1, () => 0)).toBe(250);
  expect(backoffMs(1000, () => 0)).toBe(30_000);
});
