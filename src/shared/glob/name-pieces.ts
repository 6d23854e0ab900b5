import { anyNumber, matchSteps } from "./match-steps.ts";

/** Whether a name, the part of a path between two slashes, matches. */
export type NameTest = (name: string) => boolean;

/** A literal run, a test of one character, or any number of characters. */
export type NamePiece = string | ((character: string) => boolean) | typeof anyNumber;

/** A test for names made of these pieces. */
export function compilePieces(pieces: readonly NamePiece[]): NameTest {
  const [first, second] = pieces;
  // Fast paths for the most common patterns, which are tested against thousands of names.
  if (pieces.length === 0) return (name) => name === "";
  if (pieces.length === 1 && first === anyNumber) return () => true;
  if (pieces.length === 1 && typeof first === "string") return (name) => name === first;
  if (pieces.length === 2 && first === anyNumber && typeof second === "string")
    return (name) => name.endsWith(second);
  if (pieces.length === 2 && typeof first === "string" && second === anyNumber)
    return (name) => name.startsWith(first);
  return (name) => matchSteps(pieces, name.length, (piece, at) => lengthAt(piece, name, at));
}

/** Tests the names of a path against tests of one name each, and any number of names. */
export function matchNames(
  steps: readonly (NameTest | typeof anyNumber)[],
  names: readonly string[],
): boolean {
  return matchSteps(steps, names.length, (matches, at) => (matches(names[at]!) ? 1 : 0));
}

/** How many characters the piece takes at this position; 0 if it does not match. */
function lengthAt(piece: Exclude<NamePiece, typeof anyNumber>, name: string, at: number): number {
  if (typeof piece === "string") return name.startsWith(piece, at) ? piece.length : 0;
  return piece(name[at]!) ? 1 : 0;
}

/** Tests a text against a pattern in which `*` stands for any characters and everything else for itself. */
export function createStarMatcher(pattern: string): NameTest {
  const [first = "", ...rest] = pattern.split(/\*+/);
  const pieces: NamePiece[] = [first, ...rest.flatMap((text): NamePiece[] => [anyNumber, text])];
  return compilePieces(pieces.filter((piece) => piece !== ""));
}
