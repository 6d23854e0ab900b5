import { expect, test } from "vitest";
import { createCallProgress } from "../../../../src/faces/cli/display/call-progress.ts";

function watch(...updates: unknown[]) {
  const told: string[] = [];
  const progress = createCallProgress({
    async tell(line) {
      told.push(line);
    },
  });
  for (const update of updates) progress.onProgress(update);
  return { told, unseen: progress.unseen };
}

test("a call's text of which nothing was shown yet is left to the letter", () => {
  expect(watch().unseen("\n     1\tfirst\n")).toBe("\n     1\tfirst\n");
});

test("lines of a call's text that were shown already are left out, each as often as it was shown", () => {
  const { told, unseen } = watch({ type: "output", stream: "stdout", text: "same\nExit code 3.\n" }, "bad\n");
  expect(told).toEqual(["same", "Exit code 3.", "bad"]);
  expect(unseen("same\nExit code 3.\n[stderr] bad\nsame\nExit code 3.")).toBe("same\nExit code 3.");
});

test("a call's text of which many lines were not shown stays together", () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  const text = lines.join("\n");
  expect(watch(lines.slice(50).join("\n")).unseen(text)).toBe(text);
  expect(watch(lines.slice(1).join("\n")).unseen(text)).toBe("line 0");
});

test("an update that is neither text nor output is printed as escaped JSON", () => {
  expect(watch({ done: 1 }, undefined, "\u001b[2J").told).toEqual(['{"done":1}', "", "\\u{1b}[2J"]);
});
