import { plainTypography } from "../edit/typography.ts";
import { seekLines } from "../patch/seek-lines.ts";

/** How far the lines of a patch were from those of the file, the loosest of all its chunks. */
export type PatchFuzz = "exact" | "trailing-space" | "trim" | "punctuation";

/** A file's lines without their ends, and where each begins. */
export interface FileLines {
  readonly lines: readonly string[];
  /** One more than there are lines: the last is the end of the text. */
  readonly starts: readonly number[];
  readonly lineEnd: string;
  readonly endsWithNewline: boolean;
  /** Where the lines stand, at or after `from`; a looser form is tried when the stricter ones found nothing. */
  seek(wanted: readonly string[], from: number): { first: number; fuzz: PatchFuzz } | undefined;
}

export function createFileLines(text: string): FileLines {
  const lines: string[] = [];
  const starts = [0];
  for (const match of text.matchAll(lineWithEnd)) {
    lines.push(match.groups?.line ?? match[0]);
    starts.push(match.index + match[0].length);
  }
  const made = new Map<PatchFuzz, readonly string[]>([["exact", lines]]);
  const inForm = (fuzz: PatchFuzz) => {
    const form = made.get(fuzz) ?? lines.map(forms[fuzz]);
    made.set(fuzz, form);
    return form;
  };
  const seek = (wanted: readonly string[], from: number) => {
    for (const fuzz of fuzzes) {
      const first = seekLines(inForm(fuzz), wanted.map(forms[fuzz]), from);
      if (first !== undefined) return { first, fuzz };
    }
    return undefined;
  };
  const lineEnd = /\r\n?|\n/.exec(text)?.[0] ?? "\n";
  return { lines, starts, lineEnd, endsWithNewline: text === "" || /[\r\n]$/.test(text), seek };
}

const lineWithEnd = /(?<line>[^\r\n]*)(?:\r\n?|\n)|[^\r\n]+$/g;

const forms = {
  exact: (line) => line,
  "trailing-space": (line) => line.trimEnd(),
  trim: (line) => line.trim(),
  punctuation: (line) => plainTypography(line).trim(),
} satisfies Record<PatchFuzz, (line: string) => string>;

const fuzzes: readonly PatchFuzz[] = ["exact", "trailing-space", "trim", "punctuation"];

export function looserOf(left: PatchFuzz, right: PatchFuzz): PatchFuzz {
  return fuzzes.indexOf(left) > fuzzes.indexOf(right) ? left : right;
}
