import { findIndentShift, type IndentPair, indentOf } from "./indent-shift.ts";
import { type CompareLines, type Frame, type LineStep, lineSteps, type MatchedLine } from "./line-step.ts";
import { plainTypography, relatedCharacters, typographicClass, typographicKinds } from "./typography.ts";

/** A step and, for an added line, its text as it goes into the file. */
export type FittedStep = LineStep & { readonly line?: string };

export type Fit =
  | { readonly kind: "fits"; readonly steps: readonly FittedStep[] }
  /** Possible indentations of the new lines, with no evidence for one of them. */
  | { readonly kind: "unclear"; readonly readings: readonly (readonly FittedStep[])[] };

/**
 * Fits the new lines of an edit to the file. Lines that old and new text share stay as they are in the file. If the old
 * lines are indented differently from the file, the new ones may follow either; the shared lines tell which.
 */
export function fitLines(
  lines: readonly MatchedLine[],
  next: readonly string[],
  compareLines: CompareLines,
): Fit {
  const asOld = lineSteps(lines, next, { frame: "old", compareLines });
  if (isAligned(lines)) return { kind: "fits", steps: fitTypography(asOld) };
  const asFile = lineSteps(lines, next, { frame: "file", compareLines });
  for (const isTelling of [hasWords, isAny]) {
    const [withOld, withFile] = [sharesAny(asOld, isTelling), sharesAny(asFile, isTelling)];
    if (withOld && withFile) return unclear(asFile, asOld);
    if (!withOld && !withFile) continue;
    const [told, other] = withFile ? [asFile, asOld] : [asOld, asFile];
    // A line in between may have changed its depth, so that it matches by accident; first and last lines hardly do.
    if (countSharedEdges(other) > countSharedEdges(told)) return unclear(asFile, asOld);
    return readAs(withFile ? "file" : "old", asFile, asOld);
  }
  return fitByPlaces(asFile, asOld);
}

/** The same for a patch: its context lines appear only once, so they are no evidence for the new lines. */
export function fitSteps(steps: readonly LineStep[]): Fit {
  const found = steps.filter((step) => step.kind !== "add");
  if (isAligned(found)) return { kind: "fits", steps: fitTypography(steps) };
  return fitByPlaces(steps, steps);
}

/** Decides by the lines around each change, for want of better evidence. */
function fitByPlaces(asFile: readonly LineStep[], asOld: readonly LineStep[]): Fit {
  const byCharacter = votesByCharacter(asOld);
  const votes = byCharacter.length > 0 ? byCharacter : [...votesOfReplaced(asOld), ...votesOfInserted(asOld)];
  const [frame] = votes;
  const isAgreed = frame !== undefined && votes.every((vote) => vote === frame);
  return isAgreed ? readAs(frame, asFile, asOld) : unclear(asFile, asOld);
}

/** Whether any kept line is indented differently in the two frames. */
function sharesAny(steps: readonly LineStep[], isTelling: (line: string) => boolean): boolean {
  return steps.some((step) => isShared(step) && isTelling(step.found));
}

function isShared(step: LineStep): step is LineStep & { kind: "keep" } {
  return step.kind === "keep" && indentOf(step.old) !== indentOf(step.found) && !isBlank(step.found);
}

function countSharedEdges(steps: readonly LineStep[]): number {
  const written = steps.filter((step) => !isBlank(step.kind === "add" ? step.next : step.found));
  return [written[0], written.at(-1)].filter((step) => step !== undefined && isShared(step)).length;
}

/** Lines of brackets alone often match by accident. */
const hasWords = (line: string) => /\w{2}/.test(line);
const isAny = () => true;

function isAligned(lines: readonly MatchedLine[]): boolean {
  return lines.every(({ old, found }) => isBlank(found) || indentOf(old) === indentOf(found));
}

function readAs(frame: Frame, asFile: readonly LineStep[], asOld: readonly LineStep[]): Fit {
  const steps = frame === "file" ? fitTypography(asFile) : fitIndents(asOld);
  return steps === undefined ? unclear(asFile, asOld) : { kind: "fits", steps };
}

function unclear(asFile: readonly LineStep[], asOld: readonly LineStep[]): Fit {
  const readings = [fitTypography(asFile), fitIndents(asOld)].filter((steps) => steps !== undefined);
  const [first, second] = readings.map((steps) =>
    JSON.stringify(steps.map(({ kind, line }) => [kind, line])),
  );
  // Both readings may give the same lines.
  return first === second ? { kind: "fits", steps: readings[0]! } : { kind: "unclear", readings };
}

/** New lines with the file's indentation instead of that of the old text; undefined if one cannot be mapped. */
function fitIndents(steps: readonly LineStep[]): FittedStep[] | undefined {
  const found = steps.filter((step) => step.kind !== "add" && !isBlank(step.found)) as MatchedLine[];
  const toFile = createIndentMap(
    found.map((line) => ({ wanted: indentOf(line.old), found: indentOf(line.found) })),
  );
  const fitted: FittedStep[] = [];
  for (const step of fitTypography(steps)) {
    const { line = "" } = step;
    const indent = indentOf(line);
    const shifted = isBlank(line) ? indent : toFile(indent);
    if (shifted === undefined) return undefined;
    fitted.push(step.line === undefined ? step : { ...step, line: shifted + line.slice(indent.length) });
  }
  return fitted;
}

/** If the caller indents with tabs and the file with spaces, or vice versa, the new line's own indentation decides. */
function votesByCharacter(steps: readonly LineStep[]): Frame[] {
  const found = steps.filter((step) => step.kind !== "add");
  const [old, inFile] = [
    charactersOf(found.map((step) => step.old)),
    charactersOf(found.map((step) => step.found)),
  ];
  if (old.length !== 1 || inFile.length !== 1 || old === inFile) return [];
  return steps.flatMap((step) => {
    const characters = step.kind === "add" && !isBlank(step.next) ? charactersOf([step.next]) : "";
    if (characters === "") return [];
    return characters === inFile ? ["file" as const] : ["old" as const];
  });
}

/** The characters that the lines are indented with. */
function charactersOf(lines: readonly string[]): string {
  return [...new Set(lines.filter((line) => !isBlank(line)).flatMap((line) => [...indentOf(line)]))].join("");
}

/** A line usually has the same depth as the line it replaces. */
function votesOfReplaced(steps: readonly LineStep[]): Frame[] {
  return groupsOf(steps).flatMap(({ removed, added }) => {
    const pairs = [
      [removed[0], added[0]],
      [removed.at(-1), added.at(-1)],
    ] as const;
    return pairs.flatMap(([line, next]) => {
      if (line === undefined || next === undefined) return [];
      const [old, found, written] = [line.old, line.found, next].map(indentOf);
      if (old === found) return [];
      if (written === found) return ["file" as const];
      return written === old ? ["old" as const] : [];
    });
  });
}

/** An inserted line usually has the depth of its neighbours, or is deeper if it follows the start of a block. */
function votesOfInserted(steps: readonly LineStep[]): Frame[] {
  return groupsOf(steps).flatMap(({ removed, added, before, after }) => {
    const [first, last] = [added[0], added.at(-1)];
    if (removed.length > 0 || first === undefined || last === undefined) return [];
    const fits = (form: keyof MatchedLine) =>
      isPlausible({ first, last }, { before: before?.[form], after: after?.[form] });
    const [inOld, inFile] = [fits("old"), fits("found")];
    if (inOld === inFile) return [];
    return [inOld ? ("old" as const) : ("file" as const)];
  });
}

/** Non-blank lines removed and added at one place, with the lines before and after; a kept blank line parts two places. */
interface Group {
  readonly removed: readonly MatchedLine[];
  readonly added: readonly string[];
  readonly before: MatchedLine | undefined;
  readonly after: MatchedLine | undefined;
}

function groupsOf(steps: readonly LineStep[]): Group[] {
  const groups: Group[] = [];
  let before: MatchedLine | undefined;
  let removed: MatchedLine[] = [];
  let added: string[] = [];
  const end = (after: MatchedLine | undefined) => {
    if (removed.length + added.length > 0) groups.push({ removed, added, before, after });
    [removed, added] = [[], []];
  };
  let isParted = false;
  for (const step of steps) {
    if (isBlank(step.kind === "add" ? step.next : step.found)) {
      isParted ||= step.kind === "keep";
      continue;
    }
    if (isParted && step.kind !== "keep") end(step.kind === "remove" ? step : undefined);
    isParted = false;
    if (step.kind === "add") added.push(step.next);
    else if (step.kind === "remove") removed.push(step);
    else {
      end(step);
      before = step;
    }
  }
  end(undefined);
  return groups;
}

function isBlank(line: string): boolean {
  return line.trim() === "";
}

/** Maps an indentation as written to the file's; undefined if unknown. */
type IndentMap = (indent: string) => string | undefined;

/** Known pairs first; other indentations are extrapolated if all pairs follow one rule. */
function createIndentMap(pairs: readonly IndentPair[]): IndentMap {
  const counts = new Map<string, Map<string, number>>();
  for (const { wanted, found } of pairs) {
    const forms = counts.get(wanted) ?? new Map<string, number>();
    counts.set(wanted, forms.set(found, (forms.get(found) ?? 0) + 1));
  }
  const shift = findIndentShift(pairs);
  return (indent) => {
    const forms = counts.get(indent);
    return forms === undefined ? shift?.(indent) : mostlyUsed(forms);
  };
}

// Tolerates a single line that was written with the wrong indentation.
const muchMore = 4;

function mostlyUsed(counts: ReadonlyMap<string, number>): string | undefined {
  const [[found, count] = [undefined, 0], [, nextCount] = [undefined, 0]] = [...counts].sort(
    ([, left], [, right]) => right - left,
  );
  return count >= muchMore * nextCount ? found : undefined;
}

/** Whether the indentation of inserted lines fits between the lines before and after them. */
function isPlausible(
  { first, last }: { first: string; last: string },
  { before, after }: { before: string | undefined; after: string | undefined },
): boolean {
  if (before !== undefined && !mayFollow(before, first, after)) return false;
  return after === undefined || mayFollow(last, after, undefined);
}

/** Whether `follower` may come directly after `line`; `next` comes after both. */
function mayFollow(line: string, follower: string, next: string | undefined): boolean {
  const [depth, followerDepth] = [depthOf(line), depthOf(follower)];
  if (opensBlock(line)) {
    if (closesBlock(follower)) return followerDepth === depth;
    return (
      followerDepth > depth &&
      (next === undefined || depthOf(next) <= depth || depthOf(next) >= followerDepth)
    );
  }
  if (closesBlock(follower)) return followerDepth < depth;
  return followerDepth <= depth;
}

function depthOf(line: string): number {
  return indentOf(line).length;
}

/** Whether the line after it is indented deeper. */
function opensBlock(line: string): boolean {
  return /[{([:=]$|=>$|\b(?:then|do|else|begin)$/.test(line.trimEnd());
}

function closesBlock(line: string): boolean {
  return /^\s*(?:[})\]]|end\b)/.test(line);
}

/**
 * The steps with the text of each added line, in which quotes, dashes and spaces are as the file writes them. A caller that
 * wrote curly quotes for the file's straight ones did the same in the new lines.
 */
function fitTypography(steps: readonly LineStep[]): FittedStep[] {
  const writtenSo = typographicInOld(steps);
  const replaced = replacedLines(steps);
  return steps.map((step, index) => {
    if (step.kind !== "add") return step;
    const plain = step.next.replace(anyTypographic, (character) =>
      writtenSo.has(character) ? plainTypography(character) : character,
    );
    const old = replaced.get(index);
    // A caller who copied the old line exactly also means the new one exactly.
    return { ...step, line: old === undefined || old.old === old.found ? plain : asInFile(plain, old) };
  });
}

const anyTypographic = new RegExp(`[${typographicClass}]`, "g");

/** Typographic characters that the caller wrote where the file has their ASCII form. */
function typographicInOld(steps: readonly LineStep[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const step of steps) {
    if (step.kind === "add" || step.old === step.found) continue;
    const inFile = new Set(step.found.match(anyTypographic));
    for (const character of step.old.match(anyTypographic) ?? []) {
      if (!inFile.has(character)) for (const related of relatedCharacters(character)) found.add(related);
    }
  }
  return found;
}

/** The removed line that each added one replaces, if a group has as many of both. */
function replacedLines(steps: readonly LineStep[]): Map<number, MatchedLine> {
  const replaced = new Map<number, MatchedLine>();
  let removed: MatchedLine[] = [];
  let added: number[] = [];
  const end = () => {
    if (removed.length === added.length) {
      for (const [place, index] of added.entries()) replaced.set(index, removed[place]!);
    }
    [removed, added] = [[], []];
  };
  for (const [index, step] of steps.entries()) {
    if (step.kind === "remove") removed.push(step);
    else if (step.kind === "add") added.push(index);
    else end();
  }
  end();
  return replaced;
}

/** Copies the file's quotes, dashes and spaces one by one, for each kind that both lines have equally many of. */
function asInFile(line: string, { found }: MatchedLine): string {
  const inFile = found.trim();
  const indent = indentOf(line);
  let fitted = line.slice(indent.length);
  for (const pattern of typographicKinds) {
    const forms = inFile.match(pattern) ?? [];
    if (forms.length !== (fitted.match(pattern) ?? []).length) continue;
    let place = 0;
    fitted = fitted.replace(pattern, () => forms[place++]!);
  }
  return indent + fitted;
}
