import { lineNumbersAt } from "../../../shared/diff/line-numbers.ts";
import { replaceRanges, type TextChange } from "../../../shared/diff/text-change.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { lineEndingOf, splitLines, withLineEnding } from "../encoding/line-endings.ts";
import { indentOf } from "../fit/indent-shift.ts";
import type { CompareLines } from "../fit/line-step.ts";
import type { TextRange } from "../patch/search-lines.ts";
import { withoutBlankEdges } from "./blank-edges.ts";
import { explainNoMatch } from "./explain-no-match.ts";
import { findLineEndings, findMatch, type Match, type MatchKind } from "./find-match.ts";
import { refuseOmission } from "./omission.ts";
import { replaceLinewise } from "./replace-lines.ts";

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
}

export interface EditContext {
  /** Name of the text in messages. */
  readonly path?: string;
  readonly compareLines: CompareLines;
}

export interface EditOutcome {
  readonly text: string;
  readonly replacements: number;
  readonly matchedBy: MatchKind;
  /** 1-based line of each replacement in the new text. */
  readonly lines: readonly number[];
  readonly changes: readonly TextChange[];
}

/** Replaces `oldText` literally; throws, with the reason, if it is missing or ambiguous. */
export function editText(
  text: string,
  edit: TextEdit,
  { path = "the text", compareLines }: EditContext,
): EditOutcome {
  checkEdit(edit);
  if (edit.oldText === "") return fillEmpty(text, edit);
  refuseOmission(edit.newText, edit.oldText);
  const match = findMatch(text, edit.oldText);
  if (match.kind === "none") {
    const bare = editWithoutBlankEdges(text, edit, { path, compareLines });
    if (bare !== undefined) return bare;
    throw explainNoMatch(text, edit.oldText, { path });
  }
  const { matchedBy, ranges } = match;
  if (!edit.replaceAll) {
    const other = ranges.length > 1 ? undefined : findOther(text, edit, match);
    const places = other === undefined ? ranges : [...ranges, other];
    if (places.length > 1) throw ambiguousMatch(text, places, { path, matchedBy });
  }
  const asWritten = matchedBy === "exact" ? fitToText(text, edit) : undefined;
  const replacements = ranges.map((range) => {
    if (asWritten === undefined)
      return { ...range, text: replaceLinewise(text, range, { ...edit, path, compareLines }) };
    if (!edit.replaceAll) refuseGluedLines(text, range, { ...edit, path });
    const start = indentedStart(text, range, edit);
    if (start === undefined) return { ...range, text: asWritten };
    const wholeLines = { start, end: range.end };
    return { ...wholeLines, text: replaceLinewise(text, wholeLines, { ...edit, path, compareLines }) };
  });
  const result = replaceRanges(text, replacements);
  // After an exact match the text always differs, so this skips comparing two large texts.
  if (matchedBy !== "exact" && result.text === text)
    throw nothingToChange("the file already has the new text there");
  return { ...result, matchedBy, replacements: ranges.length, lines: linesOf(text, result) };
}

/** An empty old text is accepted only for an empty file. */
function fillEmpty(text: string, { newText }: TextEdit): EditOutcome {
  if (text !== "") {
    throw new ToolError("invalid-input", "the old text is empty, but the file is not", {
      hint: "Give the text to replace; or to overwrite the whole file, use the tool that writes files.",
    });
  }
  const changes = [{ start: 0, end: 0, newStart: 0, newEnd: newText.length }];
  return { text: newText, replacements: 1, matchedBy: "exact", lines: [1], changes };
}

/** Retries without the blank lines around the old text; undefined if that does not help. */
function editWithoutBlankEdges(text: string, edit: TextEdit, context: EditContext): EditOutcome | undefined {
  const bare = withoutBlankEdges(edit);
  if (bare === undefined) return undefined;
  const match = findMatch(text, bare.oldText);
  if (match.kind === "none" || !match.ranges.every((range) => bare.isAt(text, range))) return undefined;
  if (bare.oldText === bare.newText) throw nothingToChange("the new text is what stands there already");
  const { oldText, newText } = bare;
  return { ...editText(text, { ...edit, oldText, newText }, context), matchedBy: "blank-lines" };
}

/** A single change starts at the same line in both texts; using the old one leaves a large new one untouched. */
function linesOf(text: string, { text: newText, changes }: Pick<EditOutcome, "text" | "changes">): number[] {
  const starts = changes.map(({ newStart }) => newStart);
  return lineNumbersAt(changes.length === 1 ? text : newText, starts);
}

/** A second match that overlaps the only one found, or differs from it in line endings only. */
function findOther(
  text: string,
  { oldText }: TextEdit,
  { matchedBy, ranges }: Extract<Match, { kind: "found" }>,
): TextRange | undefined {
  const { start, end } = ranges[0]!;
  if (matchedBy === "exact") {
    const next = text.slice(start + 1, end + oldText.length - 1).indexOf(oldText) + start + 1;
    if (next > start) return { start: next, end: next + oldText.length };
    return findLineEndings(text, oldText).find((range) => range.start !== start);
  }
  // Searched in a copy in which the known match is spoiled by a NUL.
  const shift = text.lastIndexOf("\n", start - 1) + 1;
  const spoiled = start + Math.max(0, text.slice(start, end).search(/\S/));
  const match = findMatch(`${text.slice(shift, spoiled)}\0${text.slice(spoiled + 1)}`, oldText);
  const other = match.kind === "found" ? match.ranges[0] : undefined;
  return other && { start: other.start + shift, end: other.end + shift };
}

function checkEdit({ oldText, newText }: TextEdit): void {
  if (oldText === newText) throw nothingToChange("the old text and the new text are the same");
  if (!oldText.isWellFormed() || !newText.isWellFormed()) {
    throw new ToolError("invalid-input", "the edit contains half a character (a lone UTF-16 surrogate)", {
      hint: "Use whole characters.",
    });
  }
}

/**
 * Dropping the line break at an end of the old text would join two lines; edits rarely mean that, unless a single
 * space takes its place.
 */
function refuseGluedLines(
  text: string,
  { start, end }: TextRange,
  { oldText, newText, path }: TextEdit & { path: string },
): void {
  if (newText.trim() === "" || oldText.trim() === "") return;
  const [before, after] = [
    text.slice(Math.max(0, start - maxLookedAt), start),
    text.slice(end, end + maxLookedAt),
  ];
  // Where the old line begins with one too, it is indentation, as in the lines of some comments.
  const isJoinedBySpace = /^ \S/.test(newText) && !/^[\r\n]+ \S/.test(oldText);
  const startsGlued =
    /^[\r\n]/.test(oldText) &&
    !/^[\r\n]/.test(newText) &&
    !isJoinedBySpace &&
    splitLines(before).at(-1)!.trim() !== "";
  const endsGlued =
    /[\r\n]$/.test(oldText) && !/(?:[\r\n]|\S )$/.test(newText) && splitLines(after)[0]!.trim() !== "";
  if (!startsGlued && !endsGlued) return;
  const [line] = lineNumbersAt(text, [startsGlued ? start : end]);
  throw new ToolError(
    "ambiguous-match",
    `the new text leaves out the line break that the old text ${startsGlued ? "begins" : "ends"} with, so line ${line} of ${path} would be joined to it`,
    {
      hint: `${startsGlued ? "Begin" : "End"} both texts with the line break, or neither. To join the lines, give both of them whole. Nothing was changed.`,
    },
  );
}

const maxLookedAt = 1_000;

function nothingToChange(reason: string): ToolError {
  return new ToolError("invalid-input", `the edit would change nothing: ${reason}`, {
    hint: "Correct the new text, or drop the edit if it is already made.",
  });
}

/** Converts the new text to the file's line endings, if they are all the same. */
function fitToText(text: string, { oldText, newText }: TextEdit): string {
  if (!newText.includes("\n")) return newText;
  const ending = lineEndingOf(text);
  // An old text with CR replaces line endings on purpose, and a single line has no line endings to follow.
  const isMeant =
    oldText.includes("\r") || (newText.includes("\r") && (ending !== "lf" || !text.includes("\n")));
  if (ending === "mixed" || isMeant) return newText;
  return withLineEnding(newText, ending);
}

/**
 * Start of the line, if an exact match starts within its indentation and the new text is indented differently from the
 * old one. Then the old text was meant to start with the line, so the whole line has to be fitted.
 */
function indentedStart(
  text: string,
  { start }: TextRange,
  { oldText, newText }: TextEdit,
): number | undefined {
  if (indentOf(oldText) === indentOf(newText) || newText.trim() === "") return undefined;
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const isInIndent = lineStart < start && text.slice(lineStart, start).trim() === "";
  return isInIndent ? lineStart : undefined;
}

const maxListedLines = 50;

function ambiguousMatch(
  text: string,
  ranges: readonly TextRange[],
  { path, matchedBy }: { path: string; matchedBy: MatchKind },
): ToolError {
  const listed = ranges.slice(0, maxListedLines).map(({ start }) => start);
  const lines = lineNumbersAt(text, listed).join(", ");
  const more = ranges.length > listed.length ? ` and ${ranges.length - listed.length} more` : "";
  const how = matchedBy === "exact" ? "" : ` (ignoring ${matchWords[matchedBy]})`;
  return new ToolError(
    "ambiguous-match",
    `the old text occurs ${ranges.length} times in ${path}${how}, at lines ${lines}${more}`,
    { hint: "Add surrounding lines to the old text until it matches one place only, or replace all." },
  );
}

const matchWords = {
  "line-endings": "line endings",
  "trailing-space": "trailing whitespace",
  indentation: "indentation",
  punctuation: "quotes, dashes and spaces",
  "blank-lines": "blank lines around it",
} satisfies Record<Exclude<MatchKind, "exact">, string>;
