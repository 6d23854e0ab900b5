import { expect, test } from "vitest";
import { rankBlocks } from "../../../../src/capabilities/web/fetch-page.ts";
import { splitBlocks } from "../../../../src/capabilities/web/page/read-page.ts";
import { fc } from "../../../support/fuzz.ts";

test("the block that answers the question comes first", () => {
  const blocks = [
    "Install the package with npm. The package has no dependencies.",
    "Set the timeout in seconds. The default timeout is 30 seconds.",
    "The server closes idle connections.",
    "Contributors are listed below.",
  ];
  expect(rankBlocks(blocks, "What is the default timeout?")).toEqual([1]);
  expect(rankBlocks(blocks, "installing packages")[0]).toBe(0);
  expect(rankBlocks(blocks, "connection to the servers")[0]).toBe(2);
  expect(rankBlocks(blocks, "zebra")).toEqual([]);
  expect(rankBlocks([], "zebra")).toEqual([]);
});

test("a rare word counts more than a common one, and a short block more than a long one", () => {
  const common = Array.from({ length: 9 }, (_, index) => `config entry ${index}`);
  expect(rankBlocks([...common, "config reload"], "config reload")[0]).toBe(9);
  expect(rankBlocks([`reload ${"and more words ".repeat(50)}`, "reload it"], "reload")[0]).toBe(1);
});

test("questions in scripts without spaces find their block", () => {
  expect(rankBlocks(["安装软件包", "设置超时时间"], "超时")).toEqual([1]);
});

test("blocks hold the whole text in order, and keep code and headings together", () => {
  const text =
    "# One\n\nfirst\nline\n\n- a\n- b\n\n```js\nlet a;\n\n# no heading\n```\n\n## Two\n### Three\nlast";
  expect(splitBlocks(text)).toEqual([
    "# One\n\nfirst\nline",
    "- a\n- b",
    "```js\nlet a;\n\n# no heading\n```",
    "## Two\n### Three\nlast",
  ]);
  fc.assert(
    fc.property(fc.array(fc.constantFrom("word", "\n", "\n\n", "# h\n", "```", "~~~~\n", " ")), (parts) => {
      const whole = parts.join("");
      expect(splitBlocks(whole).join("").replace(/\s/g, "")).toBe(whole.replace(/\s/g, ""));
    }),
  );
});

test("a text without any break is cut into blocks all the same", () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index} of a long list`);
  const blocks = splitBlocks(lines.join("\n"));
  expect(blocks.length).toBeGreaterThan(5);
  expect(blocks.join("\n")).toBe(lines.join("\n"));
});
