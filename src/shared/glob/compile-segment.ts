import { anyNumber } from "./match-steps.ts";
import { compilePieces, type NamePiece, type NameTest } from "./name-pieces.ts";
import { holdsCharacter, readClass } from "./read-class.ts";

/** A test for one name between slashes; `*`, `?`, `[a-z]`, `[!a-z]` and `\` as shells read them. */
export function compileSegment(pattern: string): NameTest {
  return compilePieces(parsePieces(pattern));
}

function parsePieces(pattern: string): readonly NamePiece[] {
  const pieces: NamePiece[] = [];
  const addLiteral = (text: string) => {
    const last = pieces.at(-1);
    if (typeof last === "string") pieces[pieces.length - 1] = last + text;
    else pieces.push(text);
  };
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index]!;
    if (character === "*") {
      if (pieces.at(-1) !== anyNumber) pieces.push(anyNumber);
    } else if (character === "?") pieces.push(() => true);
    else if (character === "[") {
      const characters = readClass(pattern, index);
      if (characters === undefined) addLiteral("[");
      else {
        pieces.push((one) => holdsCharacter(characters, one));
        index = characters.end;
      }
    } else if (character === "\\" && index + 1 < pattern.length) {
      index += 1;
      addLiteral(pattern[index]!);
    } else addLiteral(character);
  }
  return pieces;
}
