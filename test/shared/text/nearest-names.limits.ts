import { expect, test } from "vitest";
import { nearestNames } from "../../../src/shared/text/nearest-names.ts";
import { cpuMs } from "../../support/cpu-ms.ts";

test("a whole file in place of a name takes no time", () => {
  const file = "a_b_".repeat(500_000);
  const tools = ["file_read", "file_edit", "search_grep", "search_glob", "shell_run", "web_fetch"];
  expect(cpuMs(() => nearestNames(file, tools))).toBeLessThan(100);
});

test("the nearest of ten thousand names is found in well under a second", () => {
  const candidates = Array.from(
    { length: 10_000 },
    (_, index) => `group${index % 100}_action_number_${index}`,
  );
  const takenMs = cpuMs(() =>
    expect(nearestNames("group42_acton_number_4242", candidates)[0]).toBe("group42_action_number_4242"),
  );
  expect(takenMs).toBeLessThan(500);
});
