/** Source text of the same length in which only code is left. */
export interface BlankedSource {
  /** Comments, texts and patterns are spaces here, so that a word found in it is a word of code. */
  readonly code: string;
  /** What each string literal held, by the position of its opening quote. */
  readonly strings: ReadonlyMap<number, string>;
}

/**
 * Reads TypeScript just well enough to tell code from comments, strings, templates and regular expressions.
 * TypeScript 7 has no parser to call, and looking for words in raw text would find them in comments too.
 */
export function blankLiterals(source: string): BlankedSource {
  const strings = new Map<number, string>();
  const pieces: string[] = [];
  // One entry per template that is open around the current place: how many braces are open inside its `${`.
  const openBraces: number[] = [];
  let position = 0;
  const keep = (length: number) => {
    pieces.push(source.slice(position, position + length));
    position += length;
  };
  const blankTo = (end: number) => {
    pieces.push(source.slice(position, end).replace(/[^\n]/g, " "));
    position = end;
  };
  const templateText = () => {
    const end = endOfTemplateText(source, position);
    blankTo(end);
    if (source.startsWith("${", end)) {
      keep(2);
      openBraces.push(0);
    } else keep(1);
  };

  while (position < source.length) {
    const character = source[position]!;
    if (source.startsWith("//", position)) blankTo(indexOrEnd(source, "\n", position));
    else if (source.startsWith("/*", position)) blankTo(indexOrEnd(source, "*/", position) + 2);
    else if (character === '"' || character === "'") {
      const end = endOfQuoted(source, position);
      strings.set(position, source.slice(position + 1, end - 1));
      keep(1);
      blankTo(end - 1);
      keep(1);
    } else if (character === "`") {
      keep(1);
      templateText();
    } else if (character === "/" && startsPattern(pieces)) blankTo(endOfPattern(source, position));
    else if (character === "}" && openBraces.at(-1) === 0) {
      openBraces.pop();
      keep(1);
      templateText();
    } else {
      countBrace(character, openBraces);
      keep(1);
    }
  }
  return { code: pieces.join(""), strings };
}

function indexOrEnd(source: string, what: string, from: number): number {
  const index = source.indexOf(what, from);
  return index === -1 ? source.length : index;
}

function endOfQuoted(source: string, start: number): number {
  let end = start + 1;
  while (end < source.length && source[end] !== source[start]) end += source[end] === "\\" ? 2 : 1;
  return end + 1;
}

function endOfTemplateText(source: string, start: number): number {
  let end = start;
  while (end < source.length && source[end] !== "`" && !source.startsWith("${", end)) {
    end += source[end] === "\\" ? 2 : 1;
  }
  return end;
}

/** A slash divides after a value; anywhere else it opens a pattern. */
function startsPattern(pieces: readonly string[]): boolean {
  const before = pieces.slice(-200).join("").trimEnd();
  return /(?:^|[(,=:[!&|?{};+\-*%<>~]|\b(?:return|typeof|case|in|of|await|yield))$/.test(before);
}

function endOfPattern(source: string, start: number): number {
  let end = start + 1;
  let isInClass = false;
  while (end < source.length && source[end] !== "\n" && (isInClass || source[end] !== "/")) {
    if (source[end] === "[") isInClass = true;
    if (source[end] === "]") isInClass = false;
    end += source[end] === "\\" ? 2 : 1;
  }
  return end + 1;
}

function countBrace(character: string, openBraces: number[]): void {
  const last = openBraces.length - 1;
  if (last === -1) return;
  if (character === "{") openBraces[last]! += 1;
  if (character === "}") openBraces[last]! -= 1;
}
