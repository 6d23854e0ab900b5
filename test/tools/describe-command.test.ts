import { expect, test } from "vitest";
import { describeCommand } from "../../src/capabilities/processes/tools/shell/run.ts";
import type { CommandOutcome } from "../../src/tool/services/processes.ts";
import { canonicalWording } from "../../src/tool/wording.ts";

const outcome: CommandOutcome = {
  exitCode: 0,
  signal: null,
  stdout: "printed\n",
  stderr: "",
  omitted: { stdout: 0, stderr: 0 },
  elapsedMs: 20,
  directory: "/workspace",
  notes: [],
};

test("the time that a command took is told if it was longer than five seconds", () => {
  expect(describeCommand({ ...outcome, elapsedMs: 5000 }, canonicalWording)).toBe("printed");
  expect(describeCommand({ ...outcome, elapsedMs: 5060 }, canonicalWording)).toBe("printed\nIt took 5.1 s.");
});

test.each([
  ["search", true],
  ["list", true],
  ["read", true],
  ["write", false],
  ["general", false],
  [undefined, false],
])("a command of category %s whose output is cut is advised to ask for less: %s", (category, isAdvised) => {
  const cut = {
    ...outcome,
    outputFile: "/kept/output",
    omittedFrom: { line: 12 },
    ...(category !== undefined && { category }),
  };
  const text = describeCommand(cut, canonicalWording);
  expect(text).toContain(" is in /kept/output; ");
  expect(text).toContain("read what is missing with file_read, offset=12.");
  expect(text.includes("; narrow the command, or ")).toBe(isAdvised);
});
