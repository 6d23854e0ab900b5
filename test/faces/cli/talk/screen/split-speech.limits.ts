import { expect, test } from "vitest";
import { splitSpeech } from "../../../../../src/faces/cli/talk/screen/streamed-speech.ts";
import { cpuMs } from "../../../../support/cpu-ms.ts";

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

test("a line that does not end is shown with every word in time that does not grow with it", () => {
  expect(stream(`~~~\n${"word ".repeat(20_000)}`).longest).toBeLessThan(10_100);
  expect(cpuMs(() => void stream("word ".repeat(40_000)))).toBeLessThan(2000);
});
