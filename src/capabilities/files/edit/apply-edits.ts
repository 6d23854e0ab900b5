import type { TextChange } from "../../../shared/diff/text-change.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type EditContext, type EditOutcome, editText, type TextEdit } from "./edit-text.ts";
import { reworded } from "./reworded.ts";

/** The result of one of several edits; its line numbers are those right after this edit. */
export type EditReport = Pick<EditOutcome, "replacements" | "matchedBy" | "lines">;

export interface EditsOutcome {
  readonly text: string;
  readonly reports: readonly EditReport[];
  /** From the text before the first edit to the text after the last. */
  readonly changes: readonly TextChange[];
}

/** Applies the edits in order, each to the result of the one before. If one fails, none is applied. */
export function applyEdits(text: string, edits: readonly TextEdit[], context: EditContext): EditsOutcome {
  const reports: EditReport[] = [];
  let current = text;
  let changes: readonly TextChange[] = [];
  let total = 0;
  for (const [index, edit] of edits.entries()) {
    const outcome = editNumbered(current, edit, { ...context, number: index + 1, count: edits.length });
    const { replacements, matchedBy, lines } = outcome;
    reports.push({ replacements, matchedBy, lines });
    total += replacements;
    if (total > maxReplacements) throw tooManyReplacements(context.path);
    changes = composeChanges(changes, outcome.changes);
    current = outcome.text;
  }
  return { text: current, reports, changes };
}

/** Each is reported with its line, and a longer list would not be read. */
const maxReplacements = 100_000;

function tooManyReplacements(path = "the text"): ToolError {
  return new ToolError("too-large", `there are more than ${maxReplacements} places to replace in ${path}`, {
    hint: "Nothing was changed. Replace a longer text, or use a program such as sed.",
  });
}

function editNumbered(
  text: string,
  edit: TextEdit,
  context: EditContext & { readonly number: number; readonly count: number },
): EditOutcome {
  try {
    return editText(text, edit, context);
  } catch (error) {
    if (!(error instanceof ToolError) || context.count === 1) throw error;
    const message = `edit ${context.number} of ${context.count}: ${error.message}; no edits were made`;
    throw reworded(error, message, { cause: error });
  }
}

/** Combines the changes of two steps into those of one step; touching changes become one. */
export function composeChanges(first: readonly TextChange[], second: readonly TextChange[]): TextChange[] {
  const composed: TextChange[] = [];
  let firstIndex = 0;
  let secondIndex = 0;
  // What to add to an offset in the middle text to get the one in the first text, and in the last.
  let shiftBefore = 0;
  let shiftAfter = 0;
  while (firstIndex < first.length || secondIndex < second.length) {
    const middleStart = Math.min(
      first[firstIndex]?.newStart ?? Infinity,
      second[secondIndex]?.start ?? Infinity,
    );
    const start = middleStart + shiftBefore;
    const newStart = middleStart + shiftAfter;
    let middleEnd = middleStart;
    while (true) {
      const made = first[firstIndex];
      const changed = second[secondIndex];
      if (made !== undefined && made.newStart <= middleEnd) {
        middleEnd = Math.max(middleEnd, made.newEnd);
        shiftBefore = made.end - made.newEnd;
        firstIndex++;
      } else if (changed !== undefined && changed.start <= middleEnd) {
        middleEnd = Math.max(middleEnd, changed.end);
        shiftAfter = changed.newEnd - changed.end;
        secondIndex++;
      } else break;
    }
    composed.push({ start, end: middleEnd + shiftBefore, newStart, newEnd: middleEnd + shiftAfter });
  }
  return composed;
}
