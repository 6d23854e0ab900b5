import { lineNumbersAt } from "../../../shared/diff/line-numbers.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { lineEndingOf, lineEndOf, splitLines } from "../encoding/line-endings.ts";
import { type FittedStep, fitLines } from "../fit/fit-lines.ts";
import type { CompareLines } from "../fit/line-step.ts";
import type { TextRange } from "../patch/search-lines.ts";

interface LinewiseEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly path: string;
  readonly compareLines: CompareLines;
}

/**
 * Replacement for a range that the old text matched loosely. It is built line by line, so that lines shared by the old and
 * the new text stay as they are in the file, line endings included.
 */
export function replaceLinewise(
  text: string,
  range: TextRange,
  { oldText, newText, path, compareLines }: LinewiseEdit,
): string {
  const found = text.slice(range.start, range.end);
  const foundLines = splitLines(found);
  const lines = splitLines(oldText).map((old, index) => ({ old, found: foundLines[index] ?? "" }));
  const fit = fitLines(lines, splitLines(newText), compareLines);
  if (fit.kind === "unclear") {
    const [line] = lineNumbersAt(text, [range.start]);
    throw unclearIndent(`the new text at line ${line} of ${path}`, fit.readings);
  }
  return joinLines(fit.steps, { ends: lineEndsOf(found), usualEnd: usualEndOf(text, found) });
}

/** Kept lines keep their line ending; new ones get that of the lines around them. */
function joinLines(
  steps: readonly FittedStep[],
  { ends, usualEnd }: { ends: readonly string[]; usualEnd: string },
): string {
  let index = 0;
  let joined = "";
  let end = "";
  for (const step of steps) {
    if (step.kind !== "remove") {
      joined += end + (step.kind === "add" ? (step.line ?? step.next) : step.found);
      end = (step.kind === "keep" ? ends[index] : undefined) ?? usualEnd;
    }
    if (step.kind !== "add") index++;
  }
  return joined;
}

function lineEndsOf(text: string): string[] {
  return text.match(/\r\n?|\n/g) ?? [];
}

function usualEndOf(text: string, found: string): string {
  const [first] = lineEndsOf(found);
  if (first !== undefined) return first;
  const ending = lineEndingOf(text);
  return ending === "mixed" ? (lineEndsOf(text)[0] ?? "\n") : lineEndOf(ending);
}

const maxShownLines = 6;

/** Error for new lines whose indentation is uncertain; shows the possible readings. */
export function unclearIndent(what: string, readings: readonly (readonly FittedStep[])[]): ToolError {
  const shown = readings.map((steps, index) => {
    const written = steps.flatMap(({ line }) =>
      line === undefined || line.trim() === "" ? [] : [JSON.stringify(line)],
    );
    const more = written.length > maxShownLines ? [`… ${written.length - maxShownLines} more`] : [];
    return [`Reading ${index + 1}:`, ...written.slice(0, maxShownLines), ...more].join("\n  ");
  });
  return new ToolError(
    "ambiguous-match",
    `it is not certain how to indent ${what}: the old lines are indented differently in the file`,
    {
      hint: [
        "Write all lines with the indentation that they have in the file. Nothing was changed.",
        ...shown,
      ].join("\n"),
    },
  );
}
