import { expect, test } from "vitest";
import { renderManuals } from "../../../src/kernel/tool-search/open-tools.ts";

const read = { name: "Read", prompt: "Reads.\n" };
const write = { name: "Write", prompt: "Writes." };

test("every manual stands once, under the name of its tool, in the order of the tools", () => {
  const text = renderManuals([write, read, { name: "Bare" }, write, { name: "Blank", prompt: " " }]);
  expect(text).toBe("## Write\n\nWrites.\n\n## Read\n\nReads.");
});

test("a tool that comes last leaves the text before it as it was", () => {
  const before = renderManuals([read]);
  expect(renderManuals([read, write]).startsWith(before)).toBe(true);
  expect(renderManuals([])).toBe("");
});
