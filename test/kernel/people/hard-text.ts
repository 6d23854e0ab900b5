import stringWidth from "string-width";
import { escapeLine } from "../../../src/shared/text/escape-controls.ts";
import { goesOnMark, lineMark } from "../../../src/shared/text/mark-rows.ts";
import { showLookAlikes } from "../../../src/shared/text/show-look-alikes.ts";
import { fc, fuzzSeed } from "../../support/fuzz.ts";

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
        // Blank, though neither is said to be ignorable.
        "\u{1d159}\u{13441}\u{13442}\u{16fe4}",
        // What we write where there are many blanks.
        "[300 spaces]",
        "\n[9 empty lines]\n",
        // Two columns wide in some terminals, and one in others.
        "·".repeat(70),
      ),
      fc.constantFrom(
        // Many marks on one letter, families of emoji, and a word longer than any screen.
        `z${"\u0300\u0336\u0489".repeat(40)}`,
        "👩‍👩‍👧‍👦".repeat(20),
        "🏳️‍🌈e\u0301\u0323नी",
        "x".repeat(400),
        "\t".repeat(40),
        // Rows of exactly the width of a screen, or of what is left of it beside the marks.
        ...[60, 80, 120].flatMap((width) => [
          "x".repeat(width),
          "x".repeat(width - 4),
          "査".repeat(width / 2 - 2),
        ]),
        "\ufdfd\u{1242b}".repeat(30),
        "pаypal.com ср ｒｍ",
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

/** One that takes hundreds of rows: many of them, one after the other. */
export function longHardText(): string {
  return fc.sample(hardText, { numRuns: 400, seed: fuzzSeed }).join("\n");
}

/** The text as a person is to see it: nothing is left out, nothing in it is hidden, and it cannot pass for our numbers. */
export function shownWhole(text: string): string {
  return text.split("\n").map(showCounts).join("\n");
}

function showCounts(line: string): string {
  return escapeLine(showLookAlikes(line)).replace(/\[(?=\d+ (?:spaces|empty lines)\])/g, "\\u{5b}");
}

/** How wide a row can be where a terminal is set to show letters such as é and · in two columns. */
export function widthAtMost(row: string): number {
  return stringWidth(row, { ambiguousIsNarrow: false });
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
