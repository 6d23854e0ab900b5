import { expect, test } from "vitest";
import { parsePatch } from "../../../../src/capabilities/files/patch/patch-format.ts";
import { cpuMs } from "../../../support/cpu-ms.ts";

function patchOf(...lines: string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

test("a here-document is recognised after empty lines in time linear in them", () => {
  const text = (lines: number) =>
    `${"\n".repeat(lines)}apply_patch <<'EOF'\n${patchOf("*** Delete File: a")}\nEOF\n`;
  expect(cpuMs(() => void parsePatch(text(300_000)))).toBeLessThan(2000);
});
