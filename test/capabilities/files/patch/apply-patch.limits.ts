import { expect, test } from "vitest";
import { applyUpdate } from "../../../../src/capabilities/files/patch/apply-patch.ts";
import { parsePatch } from "../../../../src/capabilities/files/patch/patch-format.ts";
import type { PatchChunk } from "../../../../src/capabilities/files/patch/patched-change.ts";
import { cpuMs } from "../../../support/cpu-ms.ts";

function chunksOf(...lines: string[]): readonly PatchChunk[] {
  const patch = ["*** Begin Patch", "*** Update File: a.py", ...lines, "*** End Patch"].join("\n");
  const [change] = parsePatch(patch);
  if (change?.kind !== "update") throw new Error("not an update");
  return change.chunks;
}

function update(text: string, ...lines: string[]): { text: string; matchedBy: string } {
  const { text: updated, matchedBy } = applyUpdate(text, chunksOf(...lines), { path: "a.py" });
  return { text: updated, matchedBy };
}

test("applying a patch is not slowed down by repetition and size", () => {
  const takenMs = cpuMs(() => {
    const same = Array.from({ length: 1_000 }, () => " x");
    expect(() => update("x\n".repeat(300_000), ...same, "-y")).toThrow();
    const added = Array.from({ length: 50_000 }, (_, index) => `+${index}`);
    expect(update(`first\n${"x\n".repeat(100_000)}`, " first", ...added).text.length).toBeGreaterThan(
      400_000,
    );
    const many = Array.from({ length: 300 }, () => ["@@", "-x", "+y"]).flat();
    expect(() => update("x\n".repeat(100_000), ...many)).toThrow(
      expect.objectContaining({ code: "ambiguous-match" }),
    );
  });
  expect(takenMs).toBeLessThan(10_000);
});
