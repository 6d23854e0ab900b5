/** A part of a pattern. Apart from braces and slashes, its meaning does not depend on other parts. */
export type GlobToken =
  | { readonly kind: "character" | "escape" | "one" | "stars"; readonly text: string }
  | { readonly kind: "class"; readonly text: string; readonly characters: CharacterClass };

/** All parts of a pattern, in order. A bracket that is not closed, and a `\` at the end, are literal. */
export function readTokens(pattern: string): readonly GlobToken[] {
  const tokens: GlobToken[] = [];
  let mayHaveClass = true;
  for (let index = 0; index < pattern.length; ) {
    const token = readToken(pattern, index, mayHaveClass);
    tokens.push(token);
    index += token.text.length;
    // If no bracket closes this one, none closes a later one either; searching again for each would take quadratic time.
    if (token.kind === "character" && token.text === "[") mayHaveClass = false;
  }
  return tokens;
}

function readToken(pattern: string, start: number, mayBeClass: boolean): GlobToken {
  const character = pattern[start]!;
  if (character === "?") return { kind: "one", text: "?" };
  if (character === "\\" && start + 1 < pattern.length) {
    return { kind: "escape", text: pattern.slice(start, start + 2) };
  }
  if (character === "*") {
    let end = start + 1;
    while (pattern[end] === "*") end += 1;
    return { kind: "stars", text: pattern.slice(start, end) };
  }
  const characters = character === "[" && mayBeClass ? readClass(pattern, start) : undefined;
  if (characters === undefined) return { kind: "character", text: character };
  return { kind: "class", text: pattern.slice(start, characters.end + 1), characters };
}

/** One of several characters: `[abc]`, `[a-z]`, `[!a]` or `[^a]`. */
interface CharacterClass {
  /** Index of its `]`. */
  readonly end: number;
  readonly isNegated: boolean;
  /** First and last character of each range; a single character is both. */
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

/** The class that begins at `start`; undefined if it is not closed. A `]` right at the start is a member. */
function readClass(pattern: string, start: number): CharacterClass | undefined {
  const isNegated = pattern[start + 1] === "!" || pattern[start + 1] === "^";
  const first = start + (isNegated ? 2 : 1);
  const ranges: [string, string][] = [];
  let index = first;
  const readMember = () => {
    if (pattern[index] === "\\") index += 1;
    return pattern[index] ?? "";
  };
  for (; index < pattern.length && (pattern[index] !== "]" || index === first); index += 1) {
    const from = readMember();
    const hasEnd = pattern[index + 1] === "-" && index + 2 < pattern.length && pattern[index + 2] !== "]";
    if (hasEnd) index += 2;
    ranges.push([from, hasEnd ? readMember() : from]);
  }
  return index < pattern.length ? { end: index, isNegated, ranges } : undefined;
}

export function holdsCharacter({ isNegated, ranges }: CharacterClass, character: string): boolean {
  return ranges.some(([from, to]) => from <= character && character <= to) !== isNegated;
}
