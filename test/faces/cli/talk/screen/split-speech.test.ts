import { expect, test } from "vitest";
import { splitSpeech } from "../../../../../src/faces/cli/talk/screen/streamed-speech.ts";

/** What arrives in small pieces, as blocks. */
function stream(text: string): { blocks: string[]; longest: number } {
  const blocks: string[] = [];
  let [rest, longest] = ["", 0];
  for (let at = 0; at < text.length; at += 7) {
    const split = splitSpeech(rest + text.slice(at, at + 7));
    if (split.whole !== "") blocks.push(split.whole);
    rest = split.rest;
    longest = Math.max(longest, rest.length);
  }
  return { blocks: [...blocks, rest], longest };
}

test("blocks end with an empty line, but not inside of a fence", () => {
  expect(stream("one\n\n```js\na\n\nb\n```\n\ntwo").blocks).toEqual([
    "one\n\n",
    "```js\na\n\nb\n```\n\n",
    "two",
  ]);
});

test("a block that does not end is divided between lines, and a fence is closed and opened again", () => {
  const lines = Array.from({ length: 4000 }, (_, line) => `line ${line}`).join("\n");
  const plain = stream(lines);
  expect([plain.blocks.join("") === lines, plain.longest <= 10_007]).toEqual([true, true]);
  const { blocks, longest } = stream(`\`\`\`js\n${lines}`);
  expect([blocks.length > 3, longest <= 10_100]).toEqual([true, true]);
  expect(blocks.slice(0, -1).every((block) => block.startsWith("```js\n") && block.endsWith("\n```\n"))).toBe(
    true,
  );
  expect(blocks.map((block) => block.replace(/^```js\n/, "").replace(/```\n$/, "")).join("")).toBe(lines);
});
