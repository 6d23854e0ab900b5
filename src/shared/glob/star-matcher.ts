import { anyNumber } from "./match-steps.ts";
import { compilePieces, type NamePiece, type NameTest } from "./name-pieces.ts";

/** Tests a text against a pattern in which `*` stands for any characters and everything else for itself. */
export function createStarMatcher(pattern: string): NameTest {
  const [first = "", ...rest] = pattern.split(/\*+/);
  const pieces: NamePiece[] = [first, ...rest.flatMap((text): NamePiece[] => [anyNumber, text])];
  return compilePieces(pieces.filter((piece) => piece !== ""));
}
