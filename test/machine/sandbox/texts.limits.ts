import { expect, test } from "vitest";
import { recognizeDenial } from "../../../src/machine/sandbox/recognize-denial.ts";
import type { SandboxBounds } from "../../../src/machine/sandbox/sandbox.ts";
import { cpuMs } from "../../support/cpu-ms.ts";

const writing: SandboxBounds = { profile: "workspace-write", directory: "/w" };

test("a lot of output is looked through quickly", () => {
  const stderr = ".git".repeat(2_000_000);
  const takenMs = cpuMs(() => expect(recognizeDenial({ exitCode: 1, stderr }, writing)).toBeUndefined());
  expect(takenMs).toBeLessThan(1000);
});
