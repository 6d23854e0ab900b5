/**
 * Escapes every character that a terminal would interpret or hide instead of showing it, such as `\u{1b}` or
 * `\u{202e}`, so that people see every character. Line breaks, tabs and the usual form of emoji stay.
 */
export function escapeControls(text: string): string {
  return text.replace(deceptiveButLines, writeOut);
}

/** Escapes line breaks and tabs too, in text that must stay on one line and whose every character counts. */
export function escapeLine(text: string): string {
  return text.replace(deceptive, writeOut);
}

// Controls, bidi and zero-width characters, lone surrogates, private and unassigned characters, unusual spaces and line
// separators, variation selectors and fillers that print as nothing, blanks of Braille, music, hieroglyphs and Khitan, and
// marks piled up to cover the text around them.
const blanks = "\\u2800\\u{1d159}\\u{13441}\\u{13442}\\u{16fe4}";
const hidden = `(?! )[\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}${blanks}]|(?<=\\p{M}\\p{M}\\p{M})\\p{M}`;
const deceptive = new RegExp(hidden, "gu");
const deceptiveButLines = new RegExp(
  `(?![\\n\\t]|(?<=\\p{Extended_Pictographic})\\ufe0f)(?:${hidden})`,
  "gu",
);

/** A character as its number. */
export function writeOut(character: string): string {
  return shortEscapes.get(character) ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

const shortEscapes = new Map([
  ["\n", "\\n"],
  ["\t", "\\t"],
  ["\r", "\\r"],
]);
