/**
 * Escapes every character that a terminal would interpret or hide instead of showing it, such as `\u{1b}` or
 * `\u{202e}`, so that people see what is really there. Line breaks and tabs stay.
 */
export function escapeControls(text: string): string {
  return text.replace(deceptiveButLines, toEscape);
}

/** The same for text that must stay on one line. */
export function escapeLine(text: string): string {
  return text.replace(deceptive, toEscape);
}

// Controls, bidi and zero-width characters, lone surrogates, unusual spaces and line separators, and fillers that
// print as nothing.
const hidden =
  "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\u034f\\u115f\\u1160\\u3164\\uffa0";
const deceptive = new RegExp(`[${hidden}]`, "gu");
const deceptiveButLines = new RegExp(`(?![\\n\\t])[${hidden}]`, "gu");

function toEscape(character: string): string {
  return shortEscapes.get(character) ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

const shortEscapes = new Map([
  ["\n", "\\n"],
  ["\t", "\\t"],
  ["\r", "\\r"],
]);
