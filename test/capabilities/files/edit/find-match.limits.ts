import { expect, test } from "vitest";
import { findMatch } from "../../../../src/capabilities/files/edit/find-match.ts";
import { cpuMs } from "../../../support/cpu-ms.ts";

test("finding a match is not slowed down by repetition", () => {
  const takenMs = cpuMs(() => {
    const letters = "a".repeat(1_000_000);
    expect(findMatch(letters, "a".repeat(1_000))).toMatchObject({ matchedBy: "exact" });
    expect(findMatch(letters, `b${"a".repeat(1_000)}`).kind).toBe("none");
    expect(findMatch(`${" ".repeat(1_000_000)}x`, " y\n").kind).toBe("none");
    expect(findMatch(`${" ".repeat(1_000_000)}x`, " x\n").kind).toBe("none");
    const lines = "x\n".repeat(300_000);
    expect(findMatch(lines, `${"x\n".repeat(1_000)}  y\n`).kind).toBe("none");
    expect(findMatch(lines, `${"x\n".repeat(1_000)}  x\n`).kind).toBe("found");
  });
  expect(takenMs).toBeLessThan(10_000);
});
