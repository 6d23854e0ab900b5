import { expect, test } from "vitest";
import { readIgnoreFile } from "../../../src/shared/glob/ignore-file.ts";
import { cpuMs } from "../../support/cpu-ms.ts";

test.each([
  "a/**/".repeat(1000),
  "*a".repeat(5000),
  "[[:".repeat(5000),
  "\\".repeat(10_001),
  `${"?*".repeat(3000)}b`,
])("no line takes long, such as one of %.9s…", (hostile) => {
  const rules = readIgnoreFile(hostile);
  const names = `${"a/".repeat(500)}${"a".repeat(2000)}`.slice(0, 4000).split("/");
  // As a walk down to it does.
  const paths = names.map((_, index) => names.slice(0, index + 1).join("/"));
  const match = () => paths.map((path) => rules.some((rule) => rule.matches(path)));
  expect(cpuMs(() => void match())).toBeLessThan(3000);
});
