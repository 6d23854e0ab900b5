import { indentOf } from "./indent-shift.ts";
import type { LineStep, MatchedLine } from "./line-step.ts";
import { plainTypography, relatedCharacters, typographicClass, typographicKinds } from "./typography.ts";

/**
 * The text of each added line, with quotes, dashes and spaces as the file writes them. A caller that wrote curly quotes for
 * the file's straight ones did the same in the new lines. Undefined for kept and removed lines.
 */
export function fitTypography(steps: readonly LineStep[]): (string | undefined)[] {
  const writtenSo = typographicInOld(steps);
  const replaced = replacedLines(steps);
  return steps.map((step, index) => {
    if (step.kind !== "add") return undefined;
    const plain = step.next.replace(anyTypographic, (character) =>
      writtenSo.has(character) ? plainTypography(character) : character,
    );
    const line = replaced.get(index);
    // A caller who copied the old line exactly also means the new one exactly.
    return line === undefined || line.old === line.found ? plain : asInFile(plain, line);
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
