import { expect, test } from "vitest";
import type { TextEdit } from "../../../../src/capabilities/files/edit/edit-text.ts";
import { ToolError } from "../../../../src/tool/tool-error.ts";
import { cpuMs } from "../../../support/cpu-ms.ts";
import { editText } from "../../../support/edit-text.ts";

function refusal(text: string, edit: TextEdit): ToolError {
  try {
    editText(text, edit, { path: "a.ts" });
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error("the edit was made");
}

test("a long text that overlaps itself everywhere is told at once", () => {
  const takenMs = cpuMs(() => {
    const error = refusal("a".repeat(1_500_000), { oldText: "a".repeat(1_000_000), newText: "b" });
    expect(error.code).toBe("ambiguous-match");
  });
  expect(takenMs).toBeLessThan(5000);
});

test("one edit in a large text costs little more than finding it", () => {
  const text = `${"const value = compute(a, b);\n".repeat(1_000_000)}needle\n`;
  const edit = { oldText: "needle", newText: "thread" };
  editText(text, edit);
  const takenMs = cpuMs(() => expect(editText(text, edit).lines).toEqual([1_000_001]));
  expect(takenMs).toBeLessThan(1_000);
});
