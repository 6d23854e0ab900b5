import { type CharacterClass, readClass } from "./read-class.ts";

/** A part of a pattern as it is written: what it means depends on no other part, braces and slashes aside. */
export type GlobToken =
  | { readonly kind: "character" | "escape" | "one" | "stars"; readonly text: string }
  | { readonly kind: "class"; readonly text: string; readonly characters: CharacterClass };

/** All parts of a pattern, in their order. A bracket without an end, and a `\` at the end, are characters. */
export function readTokens(pattern: string): readonly GlobToken[] {
  const tokens: GlobToken[] = [];
  for (let index = 0; index < pattern.length; ) {
    const token = readToken(pattern, index);
    tokens.push(token);
    index += token.text.length;
  }
  return tokens;
}

function readToken(pattern: string, start: number): GlobToken {
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
  const characters = character === "[" ? readClass(pattern, start) : undefined;
  if (characters === undefined) return { kind: "character", text: character };
  return { kind: "class", text: pattern.slice(start, characters.end + 1), characters };
}
