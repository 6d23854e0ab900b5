import { expect, test } from "vitest";
import { readFilter, readGlob } from "../../../src/capabilities/search/read-glob.ts";
import { ToolError } from "../../../src/tool/tool-error.ts";

test.each([
  [
    "{a,b}".repeat(30),
    "the braces expand to more than 1000 patterns",
    "Use a wildcard, or search several times.",
  ],
  ["a".repeat(5000), "the pattern is longer than 4096 characters", undefined],
  ["../*.ts", "the pattern ../*.ts contains .., so it matches nothing", "Give the folder to search as path."],
  ["..", "the pattern .. contains .., so it matches nothing", "Give the folder to search as path."],
])("a refused glob tells the caller what is wrong with %.20s", (pattern, message, hint) => {
  for (const [parameter, read] of [
    ["pattern", readGlob],
    ["glob", readFilter],
  ] as const) {
    let refusal: unknown;
    try {
      read(pattern);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(ToolError);
    expect(refusal).toMatchObject({ code: "invalid-input", message: `$.${parameter}: ${message}`, hint });
  }
});
