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
