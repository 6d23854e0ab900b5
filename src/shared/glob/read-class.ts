/** One of several characters: `[abc]`, `[a-z]`, `[!a]` or `[^a]`. */
export interface CharacterClass {
  /** Index of its `]`. */
  readonly end: number;
  readonly isNegated: boolean;
  /** First and last character of each range; a single character is both. */
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

/** The class that begins at `start`; undefined if it is not closed. A `]` right at the start is a member. */
export function readClass(pattern: string, start: number): CharacterClass | undefined {
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
