import { escapeLine } from "./escape-controls.ts";

/** Text of unknown origin as one line of limited length: it cannot pass for several lines, nor hide anything. */
export function oneLine(text: string, maxCharacters: number): string {
  const maxRead = maxCharacters * 4;
  // Text that will be cut off anyway is not processed, however long it is.
  const beginning = text.slice(0, maxRead).replace(/\s+/g, " ").trim();
  const line = escapeLine(beginning);
  if (line.length <= maxCharacters && text.length <= maxRead) return line;
  const cut = line.slice(0, maxCharacters - 3).replace(/[\ud800-\udbff]$/, "");
  return `${cut.trimEnd()}...`;
}

/**
 * Turns any text into one line: line breaks and runs of blanks become a space, invisible characters are removed, and
 * a long text is cut. For text from unknown authors that is part of every prompt.
 */
export function cleanLine(text: string, maxCharacters: number): string {
  // Cut roughly first, to avoid cleaning a megabyte for one line.
  const rough = text.slice(0, maxCharacters * 4);
  const clean = rough
    .replace(/[\s\p{Zs}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, "")
    .trim();
  const characters = [...clean];
  if (characters.length <= maxCharacters && rough.length === text.length) return clean;
  return `${characters.slice(0, maxCharacters - 1).join("")}…`;
}
