import type { EditedFile } from "../../../tool/services/files.ts";
import { splitLines } from "../encoding/line-endings.ts";
import { typographicClass } from "../fit/typography.ts";
import { searchLines, type TextRange } from "../patch/search-lines.ts";
import { type Fold, plainFolds, typographicFolds } from "./line-folds.ts";

/** How loosely the old text matched; each kind also allows the differences of those before it. */
export type MatchKind = EditedFile["matchedBy"];

export type Match =
  | { readonly kind: "found"; readonly matchedBy: MatchKind; readonly ranges: readonly TextRange[] }
  | { readonly kind: "none" };

/**
 * Finds the old text. Only line endings, whitespace around lines and typographic characters may differ, and a looser
 * match is tried only when the stricter ones find nothing.
 */
export function findMatch(text: string, oldText: string): Match {
  if (oldText === "") return { kind: "none" };
  for (const [matchedBy, find] of matchKinds) {
    const ranges = find(text, oldText);
    if (ranges.length > 0) return { kind: "found", matchedBy, ranges };
  }
  return { kind: "none" };
}

type Find = (text: string, oldText: string) => readonly TextRange[];

const matchKinds: readonly (readonly [MatchKind, Find])[] = [
  ["exact", findExact],
  ["line-endings", findLineEndings],
  ["trailing-space", (text, oldText) => findLines(text, oldText, plainFolds.trimEnd)],
  ["indentation", (text, oldText) => findLines(text, oldText, plainFolds.trim)],
  ["punctuation", findTypographic],
];

function findExact(text: string, oldText: string): readonly TextRange[] {
  const ranges = positionsOf(text, oldText).map((start) => ({ start, end: start + oldText.length }));
  // A match that splits a CRLF is left to the match by line endings, which treats the pair as one.
  const splitsLineEnd = ranges.some((range) => isSplit(text, range));
  return splitsLineEnd ? [] : ranges;
}

function isSplit(text: string, { start, end }: TextRange): boolean {
  return [start, end].some((offset) => text[offset] === "\n" && text[offset - 1] === "\r");
}

export function findLineEndings(text: string, oldText: string): readonly TextRange[] {
  if (!text.includes("\r") && !oldText.includes("\r")) return [];
  return findFolded(text, oldText, plainFolds.lineEnds);
}

function findFolded(text: string, oldText: string, fold: Fold): readonly TextRange[] {
  const folded = fold(text);
  const { text: wanted } = fold(oldText);
  return positionsOf(folded.text, wanted).flatMap((position) => {
    const start = folded.toOriginal(position, "before");
    const end = folded.toOriginal(position + wanted.length, "after");
    return start === undefined || end === undefined ? [] : [{ start, end }];
  });
}

function positionsOf(text: string, part: string): number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) positions.push(at);
  return positions;
}

function findLines(text: string, oldText: string, fold: Fold): readonly TextRange[] {
  if (!mayHoldLines(text, oldText)) return [];
  return searchLines(text, oldText, fold);
}

/** A fast check before the slow folding with patterns: the longest line has to occur as it is. */
function mayHoldLines(text: string, oldText: string): boolean {
  const longest = longestOf(splitLines(oldText).map((line) => line.trim()));
  return longest !== "" && text.includes(longest);
}

function longestOf(parts: readonly string[]): string {
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), "");
}

function findTypographic(text: string, oldText: string): readonly TextRange[] {
  const hasTypography = typographic.test(text) || typographic.test(oldText);
  if (!hasTypography || !text.includes(longestOf(oldText.split(variableCharacters)))) return [];
  const { lineEnds, trimEnd, trim } = typographicFolds;
  const ranges = findFolded(text, oldText, lineEnds);
  if (ranges.length > 0 || oldText.trim() === "") return ranges;
  const lines = searchLines(text, oldText, trimEnd);
  return lines.length > 0 ? lines : searchLines(text, oldText, trim);
}

const typographic = new RegExp(`[${typographicClass}]`);
// Characters that may be written differently or folded away; the parts between them must occur as they are.
const variableCharacters = new RegExp(`[\\s'".${typographicClass}-]+`);
