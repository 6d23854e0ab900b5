import { ToolError } from "../../../../tool/tool-error.ts";
import { lineNumbersAt } from "../diff/line-numbers.ts";
import { firstLineEnding, lineEndingOf, withLineEnding } from "../encoding/line-endings.ts";
import type { TextRange } from "../patch/search-lines.ts";
import { explainNoMatch } from "./explain-no-match.ts";
import { findMatch, type Match, type MatchedRange, type MatchKind } from "./find-match.ts";
import { replaceRanges, type TextChange } from "./text-change.ts";

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
}

export interface EditContext {
  /** Name of the text in messages. */
  readonly path?: string;
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
export function editText(text: string, edit: TextEdit, { path = "the text" }: EditContext = {}): EditOutcome {
  checkEdit(edit);
  const match = findMatch(text, edit.oldText);
  if (match.kind === "none") throw explainNoMatch(text, edit.oldText, { path });
  const { matchedBy, ranges } = match;
  if (!edit.replaceAll) {
    const places = ranges.length > 1 ? ranges : [...ranges, ...findOverlapping(text, edit, match)];
    if (places.length > 1) throw ambiguousMatch(text, places, { path, matchedBy });
  }

  const replacementFor =
    matchedBy === "exact" ? fitToText(text, edit) : (range: MatchedRange) => fitToRange(text, range, edit);
  const result = replaceRanges(
    text,
    ranges.map((range) => ({ start: range.start, end: range.end, text: replacementFor(range) })),
  );
  // After an exact match the text always differs, so this skips comparing two large texts.
  if (matchedBy !== "exact" && result.text === text)
    throw nothingToChange("the file already has the new text there");
  return { ...result, matchedBy, replacements: ranges.length, lines: linesOf(text, result) };
}

/** A single change starts at the same line in both texts; using the old one leaves a large new one untouched. */
function linesOf(text: string, { text: newText, changes }: Pick<EditOutcome, "text" | "changes">): number[] {
  const starts = changes.map(({ newStart }) => newStart);
  return lineNumbersAt(changes.length === 1 ? text : newText, starts);
}

/** A second match that overlaps the only one found, if there is one. */
function findOverlapping(
  text: string,
  { oldText }: TextEdit,
  { matchedBy, ranges }: Extract<Match, { kind: "found" }>,
): readonly TextRange[] {
  const { start, end } = ranges[0]!;
  if (matchedBy === "exact") {
    const next = text.slice(start + 1, end + oldText.length - 1).indexOf(oldText);
    return next === -1 ? [] : [{ start: start + 1 + next, end: start + 1 + next + oldText.length }];
  }
  // Searched in a copy in which the known match is spoiled by a NUL.
  const shift = text.lastIndexOf("\n", start - 1) + 1;
  const spoiled = start + Math.max(0, text.slice(start, end).search(/\S/));
  const rest = `${text.slice(shift, spoiled)}\0${text.slice(spoiled + 1)}`;
  const match = findMatch(rest, oldText);
  if (match.kind === "none") return [];
  return match.ranges.slice(0, 1).map((range) => ({ start: range.start + shift, end: range.end + shift }));
}

function checkEdit({ oldText, newText }: TextEdit): void {
  if (oldText === "") {
    throw new ToolError("invalid-input", "the old text is empty, so there is nothing to replace", {
      hint: "To create or overwrite a file, use the tool that writes files.",
    });
  }
  if (oldText === newText) throw nothingToChange("the old text and the new text are the same");
  if (!oldText.isWellFormed() || !newText.isWellFormed()) {
    throw new ToolError("invalid-input", "the edit contains half a character (a lone UTF-16 surrogate)", {
      hint: "Use whole characters.",
    });
  }
}

function nothingToChange(reason: string): ToolError {
  return new ToolError("invalid-input", `the edit would change nothing: ${reason}`, {
    hint: "Correct the new text, or drop the edit if it is already made.",
  });
}

/** Converts the new text to the file's line endings, if they are all the same. */
function fitToText(text: string, { oldText, newText }: TextEdit): () => string {
  const ending = newText.includes("\n") && !newText.includes("\r") ? lineEndingOf(text) : "lf";
  if (ending === "lf" || ending === "mixed") return () => newText;
  const fitted = withLineEnding(newText, ending);
  // An edit that only changes line endings must keep the given ones.
  return () => (fitted === oldText ? newText : fitted);
}

/** After a loose match, the new text takes on the line endings and indentation found in the file. */
function fitToRange(text: string, { start, end, reindent }: MatchedRange, { newText }: TextEdit): string {
  const fileEnding = () => {
    const ending = lineEndingOf(text);
    return ending === "mixed" ? undefined : ending;
  };
  const ending = firstLineEnding(text.slice(start, end)) ?? fileEnding();
  const fitted = ending === undefined ? newText : withLineEnding(newText, ending);
  return reindent === undefined ? fitted : reindent(fitted);
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
} satisfies Record<Exclude<MatchKind, "exact">, string>;
