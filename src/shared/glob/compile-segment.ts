import { anyNumber } from "./match-steps.ts";
import { compilePieces, type NamePiece, type NameTest } from "./name-pieces.ts";
import { holdsCharacter } from "./read-class.ts";
import { type GlobToken, readTokens } from "./read-tokens.ts";

/** A test for one name between slashes; `*`, `?`, `[a-z]`, `[!a-z]` and `\` as shells read them. */
export function compileSegment(pattern: string): NameTest {
  const pieces: NamePiece[] = [];
  for (const piece of readTokens(pattern).map(pieceOf)) {
    const last = pieces.at(-1);
    // What is compared as one text is compared faster.
    if (typeof last === "string" && typeof piece === "string") pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  }
  return compilePieces(pieces);
}

function pieceOf(token: GlobToken): NamePiece {
  switch (token.kind) {
    case "stars":
      return anyNumber;
    case "one":
      return () => true;
    case "class":
      return (character) => holdsCharacter(token.characters, character);
    case "escape":
      return token.text.slice(1);
    case "character":
      return token.text;
  }
}

/** The one name that a pattern means, where it means only one. */
export function literalOf(pattern: string): string | undefined {
  const tokens = readTokens(pattern);
  if (!tokens.every(({ kind }) => kind === "character" || kind === "escape")) return undefined;
  return tokens.map(pieceOf).join("");
}
