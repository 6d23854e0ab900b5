import { anyNumber } from "./match-steps.ts";
import { compilePieces, type NamePiece, type NameTest } from "./name-pieces.ts";
import { type GlobToken, holdsCharacter, readTokens } from "./read-tokens.ts";

/** A test for one name between slashes, with `*`, `?`, `[a-z]`, `[!a-z]` and `\` as in shells. */
export function compileSegment(pattern: string): NameTest {
  const pieces: NamePiece[] = [];
  for (const piece of readTokens(pattern).map(pieceOf)) {
    const last = pieces.at(-1);
    // Joined, because comparing one longer text is faster.
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

/** The only name that a pattern matches, if there is just one. */
export function literalOf(pattern: string): string | undefined {
  const tokens = readTokens(pattern);
  if (!tokens.every(({ kind }) => kind === "character" || kind === "escape")) return undefined;
  return tokens.map(pieceOf).join("");
}
