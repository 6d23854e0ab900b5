import { ToolError } from "../../../../tool/tool-error.ts";
import { lineNumbersAt } from "../diff/line-numbers.ts";
import { closestRegion } from "./closest-region.ts";
import { describeRegion } from "./describe-region.ts";
import { foldText } from "./fold-text.ts";

/** Says why a text was not found, as far as can be told, and shows the place that comes closest. */
export function explainNoMatch(text: string, oldText: string, { path }: { path: string }): ToolError {
  const missing = `the old text is not in ${path}`;
  if (text === "") {
    return new ToolError("no-match", `${missing}: there is nothing in it`, {
      hint: "To give it a content, use the tool for writing files.",
    });
  }
  for (const { reason, advice, find } of mistakes) {
    const offset = find(text, oldText);
    if (offset === undefined) continue;
    const [line] = lineNumbersAt(text, [offset]);
    const region = closestRegion(text, oldText, { at: offset });
    return new ToolError("no-match", `${missing}: ${reason} at line ${line}`, {
      hint: [advice, region && describeRegion(region)].filter(Boolean).join("\n"),
    });
  }
  const region = closestRegion(text, oldText);
  if (region === undefined) {
    return new ToolError("no-match", `${missing}, and nothing like it`, {
      hint: "Read the file again; the text may be in another file or may have been changed.",
    });
  }
  return new ToolError("no-match", `${missing}; lines like it begin at line ${region.firstLine}`, {
    hint: `Copy the old text from the file as it is.\n${describeRegion(region)}`,
  });
}

interface Mistake {
  readonly reason: string;
  readonly advice: string;
  /** Where the text stands that was meant. */
  readonly find: (text: string, oldText: string) => number | undefined;
}

const mistakes: readonly Mistake[] = [
  {
    reason: "it begins its lines with line numbers, without which it stands",
    advice: "Leave out the line numbers that reading puts before each line.",
    find: (text, oldText) => offsetOf(text, withoutLineNumbers(oldText)),
  },
  {
    reason: "it holds escape sequences; written out, it stands",
    advice: "Give line breaks, tabs and quotes as they are, not as escape sequences.",
    find: (text, oldText) => offsetOf(text, withoutEscapes(oldText)),
  },
  {
    reason: "it differs in whitespace only from what stands",
    advice: "Copy the spaces, tabs and line breaks as they are in the file.",
    find: findIgnoringSpace,
  },
  {
    reason: "it differs in upper and lower case only from what stands",
    advice: "Copy the letters as they are in the file.",
    find: findIgnoringCase,
  },
];

function offsetOf(text: string, part: string | undefined): number | undefined {
  const offset = part === undefined || part.trim() === "" ? -1 : text.indexOf(part);
  return offset === -1 ? undefined : offset;
}

function withoutLineNumbers(oldText: string): string | undefined {
  const lines = oldText.split("\n");
  const isNumbered = lines.every((line) => line === "" || numberedLine.test(line));
  return isNumbered ? lines.map((line) => line.replace(numberedLine, "")).join("\n") : undefined;
}

const numberedLine = /^ {0,12}\d{1,9}(?:\t|→|: ?| ?\| ?)/;

function withoutEscapes(oldText: string): string | undefined {
  if (!oldText.includes("\\")) return undefined;
  return oldText.replace(/\\([nrt"'`\\])/g, (_escape, character: string) => escapes[character] ?? character);
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

// Beyond this the reason is not worth the wait; the closest region is found all the same.
const maxFoldedCharacters = 8_000_000;

function findIgnoringSpace(text: string, oldText: string): number | undefined {
  const wanted = oldText.replace(/\s+/g, "");
  if (wanted === "" || text.length > maxFoldedCharacters) return undefined;
  const folded = foldText(text, /\s+/g, () => "");
  const offset = folded.text.indexOf(wanted);
  return offset === -1 ? undefined : folded.toOriginal(offset, "after");
}

function findIgnoringCase(text: string, oldText: string): number | undefined {
  if (text.length > maxFoldedCharacters) return undefined;
  const folded = text.toLowerCase();
  // A few letters become two in lower case; then places are no longer the same.
  if (folded.length !== text.length) return undefined;
  return offsetOf(folded, oldText.toLowerCase());
}
