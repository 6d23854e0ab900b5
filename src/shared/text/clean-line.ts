/**
 * One line of text out of any: line breaks and runs of blanks become a space, what cannot be seen goes, and what is too
 * long is cut. It may come from anybody and stands in every prompt.
 */
export function cleanLine(text: string, maxCharacters: number): string {
  // Cut first, roughly: nobody need clean a megabyte for the sake of a line.
  const rough = text.slice(0, maxCharacters * 4);
  const clean = rough
    .replace(/[\s\p{Zs}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, "")
    .trim();
  const characters = [...clean];
  if (characters.length <= maxCharacters && rough.length === text.length) return clean;
  return `${characters.slice(0, maxCharacters - 1).join("")}…`;
}
