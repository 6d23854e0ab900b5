import { hiddenCharacters } from "./raw-gate.ts";

/** A text for somebody to decide on: what cannot be seen, or would move what can, is written out. */
export function showHidden(text: string): string {
  return text.replace(hiddenCharacters, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u{${code}}`;
  });
}
