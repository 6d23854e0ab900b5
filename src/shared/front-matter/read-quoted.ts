import { DocumentError } from "./document-error.ts";

/** A text in single or double quotes, of which nothing but a comment may follow. */
export function readQuoted(text: string, line: number): string {
  const isDouble = text.startsWith('"');
  const pattern = isDouble ? /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/s : /^'((?:[^']|'')*)'\s*(?:#.*)?$/s;
  const [, inner] = pattern.exec(text) ?? [];
  if (inner === undefined) throw new DocumentError(line, "the quotes do not end where the value does");
  return isDouble ? readEscapes(inner, line) : inner.replaceAll("''", "'");
}

function readEscapes(text: string, line: number): string {
  return text.replace(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|(.))/gis,
    (_all, two, four, one: string | undefined) => {
      const code = two ?? four;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      const character = escapes.get(one ?? "");
      if (character === undefined) throw new DocumentError(line, `\\${one} means nothing in quotes`);
      return character;
    },
  );
}

const escapes = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
  ["/", "/"],
  [" ", " "],
]);
