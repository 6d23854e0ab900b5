import type { HistoryHunk } from "./history.ts";

/** A file and the change of it, as a model might write them: what it gives is not always what stands there. */
export interface DistortedEdit {
  readonly before: string;
  /** Undefined where the edit has to be refused. */
  readonly after: string | undefined;
  readonly oldText: string;
  readonly newText: string;
}

export interface DistortedPatch {
  readonly before: string;
  readonly after: string | undefined;
  /** The lines after `*** Update File:`. */
  readonly lines: readonly string[];
}

export interface Distortion<Distorted> {
  readonly name: string;
  /** Whether nearly every one of them has to come out right; of the others, none may come out wrong. */
  readonly isPlain: boolean;
  /** Undefined where it would change nothing. */
  apply(hunk: HistoryHunk): Distorted | undefined;
}

interface Sides {
  readonly old: readonly string[];
  readonly next: readonly string[];
}

function sidesOf({ lines }: HistoryHunk): Sides {
  return {
    old: lines.filter((line) => line[0] !== "+").map((line) => line.slice(1)),
    next: lines.filter((line) => line[0] !== "-").map((line) => line.slice(1)),
  };
}

const join = (lines: readonly string[]) => lines.join("\n");
const indentOf = (line: string) => /^[ \t]*/.exec(line)![0];
const isBlank = (line: string) => line.trim() === "";

/** What all lines but blank ones begin with. */
function commonIndent(lines: readonly string[]): string {
  const indents = lines.filter((line) => !isBlank(line)).map(indentOf);
  return indents.reduce((common, indent) => {
    let length = 0;
    while (length < common.length && common[length] === indent[length]) length++;
    return common.slice(0, length);
  }, indents[0] ?? "");
}

const cutIndent = (width: number) => (line: string) => (isBlank(line) ? line : line.slice(width));
const deepen = (line: string) => (isBlank(line) ? line : `  ${line}`);
const toTabs = (line: string) => line.replace(/^(?: {2})+/, (indent) => "\t".repeat(indent.length / 2));
const trailing = (line: string) => `${line}  `;
const curl = (text: string) => text.replace(/"([^"\n]*)"/g, "“$1”").replace(/(\w)'(\w)/g, "$1’$2");
const mapLines = (text: string, change: (line: string) => string) => text.split("\n").map(change).join("\n");
const hasCurly = ({ before, after }: HistoryHunk) => /[“”’]/.test(before + after);
/** Whether the lines that are given as they stand show how the file is indented. */
const isIndented = ({ lines }: HistoryHunk) =>
  lines.some((line) => line[0] !== "+" && toTabs(line.slice(1)) !== line.slice(1));
/** Whether one of the lines on both sides of a break is blank: then the break may be meant to go, and that line with it. */
const isBesideBlank = (text: string, lineIndex: number) => {
  const lines = text.split("\n");
  return isBlank(lines[lineIndex - 1] ?? "") || isBlank(lines[lineIndex] ?? "");
};
const toCrlf = (text: string) => text.replaceAll("\n", "\r\n");

function edit(
  name: string,
  isPlain: boolean,
  apply: (hunk: HistoryHunk, sides: Sides) => Partial<DistortedEdit> | undefined,
): Distortion<DistortedEdit> {
  return {
    name,
    isPlain,
    apply(hunk) {
      const sides = sidesOf(hunk);
      const given: DistortedEdit = {
        before: hunk.before,
        after: hunk.after,
        oldText: join(sides.old),
        newText: join(sides.next),
      };
      const distorted = apply(hunk, sides);
      if (distorted === undefined) return undefined;
      const whole = { ...given, ...distorted };
      const isSame = name !== "as it stands" && JSON.stringify(whole) === JSON.stringify(given);
      return isSame || whole.oldText === "" || whole.oldText === whole.newText ? undefined : whole;
    },
  };
}

/** In the file, the lines that the hunk keeps; elsewhere and in the change itself nothing differs. */
function changeKept(hunk: HistoryHunk, change: (line: string) => string): { before: string; after: string } {
  const beforeLines = hunk.before.split("\n");
  const afterLines = hunk.after.split("\n");
  let [old, next] = [hunk.first, hunk.first];
  for (const line of hunk.lines) {
    if (line[0] === " ") {
      beforeLines[old] = change(beforeLines[old]!);
      afterLines[next] = change(afterLines[next]!);
    }
    if (line[0] !== "+") old++;
    if (line[0] !== "-") next++;
  }
  return { before: join(beforeLines), after: join(afterLines) };
}

export const editDistortions: readonly Distortion<DistortedEdit>[] = [
  edit("as it stands", true, () => ({})),
  edit("both without their common indentation", true, (_, { old, next }) => {
    const cut = cutIndent(commonIndent([...old, ...next]).length);
    return { oldText: join(old.map(cut)), newText: join(next.map(cut)) };
  }),
  edit("old without its indentation, new right", true, (_, { old }) => ({
    oldText: join(old.map(cutIndent(commonIndent(old).length))),
  })),
  edit("both two deeper", true, (_, { old, next }) => ({
    oldText: join(old.map(deepen)),
    newText: join(next.map(deepen)),
  })),
  edit("old two deeper, new right", true, (_, { old }) => ({ oldText: join(old.map(deepen)) })),
  edit("one line of old two short", true, (_, { old }) => {
    const index = old.findIndex((line) => line.startsWith("  ") && !isBlank(line));
    return index === -1 ? undefined : { oldText: join(old.with(index, old[index]!.slice(2))) };
  }),
  edit("a file with CRLF", true, ({ before, after }) => ({ before: toCrlf(before), after: toCrlf(after) })),
  edit("old and new with CRLF", true, (_, { old, next }) => ({
    oldText: toCrlf(join(old)),
    newText: toCrlf(join(next)),
  })),
  edit("new with CRLF", true, (_, { next }) => ({ newText: toCrlf(join(next)) })),
  edit("space at the end of lines in the file", true, (hunk) => changeKept(hunk, trailing)),
  edit("space at the end of lines in old and new", true, ({ lines }) => ({
    oldText: join(lines.filter((line) => line[0] !== "+").map((line) => trailing(line.slice(1)))),
    newText: join(
      lines
        .filter((line) => line[0] !== "-")
        .map((line) => (line[0] === " " ? trailing(line.slice(1)) : line.slice(1))),
    ),
  })),
  edit("curly quotes in the file", true, (hunk) => (hasCurly(hunk) ? undefined : changeKept(hunk, curl))),
  // Where old has no quotes, nothing tells that those of new are not meant so.
  edit("curly quotes in old and new", true, (hunk, { old, next }) =>
    curl(join(old)) === join(old) || hasCurly(hunk)
      ? undefined
      : { oldText: curl(join(old)), newText: curl(join(next)) },
  ),
  edit("a file with tabs", true, (hunk) =>
    isIndented(hunk)
      ? { before: mapLines(hunk.before, toTabs), after: mapLines(hunk.after, toTabs) }
      : undefined,
  ),
  edit("old and new with tabs", true, (hunk, { old, next }) =>
    isIndented(hunk) ? { oldText: join(old.map(toTabs)), newText: join(next.map(toTabs)) } : undefined,
  ),
  edit("blank lines around old", false, (_, { old }) => ({ oldText: `\n\n${join(old)}\n\n` })),
  edit("a line break after old alone", false, ({ before, first }, { old }) =>
    isBesideBlank(before, first + old.length) ? undefined : { oldText: `${join(old)}\n` },
  ),
  edit("a line break before old alone", false, ({ before, first }, { old }) =>
    isBesideBlank(before, first) ? undefined : { oldText: `\n${join(old)}` },
  ),
  edit("a blank line before both", true, (_, { old, next }) => ({
    oldText: `\n${join(old)}`,
    newText: `\n${join(next)}`,
  })),
  edit("an ellipsis in old", false, (_, { old }) =>
    old.length < 5
      ? undefined
      : { oldText: join([...old.slice(0, 2), "...", ...old.slice(-2)]), after: undefined },
  ),
  edit("a placeholder in new", false, (hunk, { old, next }) =>
    hunk.before.includes("existing code")
      ? undefined
      : { oldText: join(old), newText: join([...next, "// ... existing code ..."]), after: undefined },
  ),
  edit("HTML entities in both", false, (_, { old, next }) => {
    const encode = (text: string) =>
      text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    const [oldText, newText] = [encode(join(old)), encode(join(next))];
    return oldText === join(old) ? undefined : { oldText, newText, after: undefined };
  }),
  edit("line numbers in old", false, ({ first }, { old }) => ({
    oldText: join(old.map((line, index) => `${String(first + index + 1).padStart(6)}\t${line}`)),
    after: undefined,
  })),
  edit("a line of old left out", false, ({ before }, { old }) => {
    const oldText = join(old.toSpliced(2, 1));
    // What is left may stand there as it is.
    return old.length < 4 || before.includes(oldText) ? undefined : { oldText, after: undefined };
  }),
];

function patch(
  name: string,
  isPlain: boolean,
  apply: (hunk: HistoryHunk) => Partial<DistortedPatch> | undefined,
): Distortion<DistortedPatch> {
  return {
    name,
    isPlain,
    apply(hunk) {
      const given: DistortedPatch = { before: hunk.before, after: hunk.after, lines: ["@@", ...hunk.lines] };
      const distorted = apply(hunk);
      if (distorted === undefined) return undefined;
      const whole = { ...given, ...distorted };
      const isSame = name !== "as it stands" && JSON.stringify(whole) === JSON.stringify(given);
      return isSame ? undefined : whole;
    },
  };
}

const unmark = (line: string) => (line[0] === " " ? line.slice(1) : line);
/** A line that begins with the mark of another kind cannot be told from it. */
const isMarkedOtherwise = (line: string) => line[0] === " " && /^[-+@*\\]|^$/.test(line.slice(1));
const changeText = (change: (text: string) => string) => (line: string) => line[0] + change(line.slice(1));

export const patchDistortions: readonly Distortion<DistortedPatch>[] = [
  patch("as it stands", true, () => ({})),
  patch("with git's heading", true, ({ heading, lines }) =>
    heading === "" ? undefined : { lines: [`@@ ${heading}`, ...lines] },
  ),
  patch("with git's line numbers and heading", true, ({ heading, lines, first }) => ({
    lines: [`@@ -${first + 1},9 +${first + 1},9 @@ ${heading}`, ...lines],
  })),
  patch("context without its mark", true, ({ lines }) =>
    lines.some(isMarkedOtherwise) ? undefined : { lines: ["@@", ...lines.map(unmark)] },
  ),
  patch("only the context before, without its mark", true, ({ lines, before, after, ...hunk }) => {
    const last = lines.findLastIndex((line) => line[0] !== " ");
    const given = lines.slice(0, last + 1);
    if (given.every((line) => line[0] !== " ") || given.some(isMarkedOtherwise)) return undefined;
    return { lines: ["@@", ...given.map(unmark)], before, after, ...hunk };
  }),
  patch("context without its mark, in a file with tabs", true, ({ lines, before, after }) =>
    lines.some(isMarkedOtherwise)
      ? undefined
      : {
          before: mapLines(before, toTabs),
          after: mapLines(after, toTabs),
          lines: ["@@", ...lines.map(changeText(toTabs)).map(unmark)],
        },
  ),
  patch("without the common indentation", true, ({ lines }) => {
    const cut = cutIndent(commonIndent(lines.map((line) => line.slice(1))).length);
    return { lines: ["@@", ...lines.map(changeText(cut))] };
  }),
  patch("old lines without their indentation, new ones right", false, ({ lines }) => {
    const old = lines.filter((line) => line[0] !== "+").map((line) => line.slice(1));
    const cut = cutIndent(commonIndent(old).length);
    return { lines: ["@@", ...lines.map((line) => (line[0] === "+" ? line : line[0] + cut(line.slice(1))))] };
  }),
  patch("old lines two deeper, new ones right", false, ({ lines }) => ({
    lines: ["@@", ...lines.map((line) => (line[0] === "+" ? line : line[0] + deepen(line.slice(1))))],
  })),
  patch("a file with CRLF", true, ({ before, after }) => ({ before: toCrlf(before), after: toCrlf(after) })),
  patch("space at the end of lines in the file", true, (hunk) => changeKept(hunk, trailing)),
  patch("curly quotes in the file", true, (hunk) => (hasCurly(hunk) ? undefined : changeKept(hunk, curl))),
  patch("a file with tabs", true, (hunk) =>
    isIndented(hunk)
      ? { before: mapLines(hunk.before, toTabs), after: mapLines(hunk.after, toTabs) }
      : undefined,
  ),
  patch("tabs in the patch", true, (hunk) =>
    isIndented(hunk) ? { lines: ["@@", ...hunk.lines.map(changeText(toTabs))] } : undefined,
  ),
];
