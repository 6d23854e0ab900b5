import { escapeLine } from "../../../../src/shared/text/escape-controls.ts";
import { goesOnMark, lineMark } from "../../../../src/shared/text/mark-rows.ts";
import { fc, fuzzSeed } from "../../../support/fuzz.ts";

/** Text that is hard to show: what a terminal obeys or hides, wide characters, long lines, runs of blanks. */
export const hardText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom(
        "\n",
        "\n\n\n\n\n\n",
        " ".repeat(300),
        "\t",
        "reason: it only prints",
        "\u2800",
        "查".repeat(90),
      ),
      fc.constantFrom(
        "\u001b[2J",
        "\u202e",
        "\ufe0f",
        "\ue000",
        "\u200b",
        "e\u0301\u0301\u0301\u0301\u0301",
        "Allow it? [y/N] y",
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

/** One that takes hundreds of rows: many of them, one after the other. */
export function longHardText(): string {
  return fc.sample(hardText, { numRuns: 400, seed: fuzzSeed }).join("\n");
}

/** The text as a person is to see it: nothing is left out, and nothing in it is hidden. */
export function shownWhole(text: string): string {
  return text.split("\n").map(escapeLine).join("\n");
}

/** The text that the marked rows show, with what was written as a number in full. */
export function readBack(rows: readonly string[]): string {
  const lines: string[] = [];
  for (const row of rows) {
    if (row.startsWith(goesOnMark)) lines[lines.length - 1] += row.slice(goesOnMark.length);
    else if (row.startsWith(lineMark)) lines.push(row.slice(lineMark.length));
  }
  return lines
    .map((line) => line.replace(/\[(\d+) spaces\]/g, (_, count) => " ".repeat(Number(count))))
    .flatMap((line) => {
      const count = /^\[(\d+) empty lines\]$/.exec(line)?.[1];
      return count === undefined ? [line] : Array<string>(Number(count)).fill("");
    })
    .join("\n");
}
