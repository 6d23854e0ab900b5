/** Whether one name between slashes matches; `*`, `?`, `[a-z]`, `[!a-z]` and `\` as shells read them. */
export type SegmentTest = (name: string) => boolean;

export function compileSegment(pattern: string): SegmentTest {
  const pieces = parsePieces(pattern);
  const [first, second] = pieces;
  if (pieces.length === 0) return (name) => name === "";
  if (pieces.length === 1 && first === anyCharacters) return () => true;
  if (pieces.length === 1 && typeof first === "string") return (name) => name === first;
  if (pieces.length === 2 && first === anyCharacters && typeof second === "string")
    return (name) => name.endsWith(second);
  return (name) => matchPieces(pieces, name);
}

const anyCharacters = Symbol("*");

/** A literal run, a test of one character, or any number of characters. */
type Piece = string | ((character: string) => boolean) | typeof anyCharacters;

function parsePieces(pattern: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const addLiteral = (text: string) => {
    const last = pieces.at(-1);
    if (typeof last === "string") pieces[pieces.length - 1] = last + text;
    else pieces.push(text);
  };
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index]!;
    if (character === "*") {
      if (pieces.at(-1) !== anyCharacters) pieces.push(anyCharacters);
    } else if (character === "?") pieces.push(() => true);
    else if (character === "[") {
      const group = parseClass(pattern, index);
      if (group === undefined) addLiteral("[");
      else {
        pieces.push(group.matches);
        index = group.end;
      }
    } else if (character === "\\" && index + 1 < pattern.length) {
      index += 1;
      addLiteral(pattern[index]!);
    } else addLiteral(character);
  }
  return pieces;
}

/** `[abc]`, `[a-z]`, `[!a]` or `[^a]`; a `]` right at the start is a member. */
function parseClass(
  pattern: string,
  start: number,
): { matches: (character: string) => boolean; end: number } | undefined {
  const isNegated = pattern[start + 1] === "!" || pattern[start + 1] === "^";
  const first = start + (isNegated ? 2 : 1);
  const ranges: [string, string][] = [];
  let index = first;
  for (; index < pattern.length && (pattern[index] !== "]" || index === first); index += 1) {
    if (pattern[index] === "\\") index += 1;
    const from = pattern[index] ?? "";
    const hasEnd = pattern[index + 1] === "-" && index + 2 < pattern.length && pattern[index + 2] !== "]";
    if (hasEnd) index += 2;
    ranges.push([from, pattern[index] ?? ""]);
  }
  if (index >= pattern.length) return undefined;
  const isMember = (character: string) => ranges.some(([from, to]) => from <= character && character <= to);
  return { matches: (character) => isMember(character) !== isNegated, end: index };
}

/** Only the last `*` is ever tried again, so the time is at most pattern × name: there is no pattern to hang on. */
function matchPieces(pieces: readonly Piece[], name: string): boolean {
  let piece = 0;
  let at = 0;
  let star: { piece: number; at: number } | undefined;
  while (at < name.length || piece < pieces.length) {
    const current = pieces[piece];
    if (current === anyCharacters) {
      piece += 1;
      star = { piece, at };
      continue;
    }
    const length = current === undefined ? 0 : lengthAt(current, name, at);
    if (length > 0) {
      piece += 1;
      at += length;
      continue;
    }
    if (star === undefined || star.at >= name.length) return false;
    star.at += 1;
    piece = star.piece;
    at = star.at;
  }
  return true;
}

/** How many characters the piece takes at this place; 0 where it does not match. */
function lengthAt(piece: string | ((character: string) => boolean), name: string, at: number): number {
  if (typeof piece === "string") return name.startsWith(piece, at) ? piece.length : 0;
  return at < name.length && piece(name[at]!) ? 1 : 0;
}
