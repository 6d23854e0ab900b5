/** The ASCII form of a typographic quote, dash, space or ellipsis. */
export function plainCharacter(character: string): string {
  return plainForms.get(character) ?? character;
}

const families = [
  { plain: "'", characters: "\u2018\u2019\u201a\u201b\u2032" },
  { plain: '"', characters: "\u201c\u201d\u201e\u201f\u2033" },
  { plain: "-", characters: "\u2010\u2011\u2012\u2013\u2014\u2015\u2212" },
  {
    plain: " ",
    characters: "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
  },
  { plain: "...", characters: "\u2026" },
];

const plainForms = new Map(
  families.flatMap(({ plain, characters }) => [...characters].map((character) => [character, plain])),
);

/** The typographic characters that a writer replaces together with this one: all quotes, all dashes or all spaces. */
export function relatedCharacters(character: string): string {
  const family = families.find(({ characters }) => characters.includes(character));
  if (family === undefined) return character;
  return isQuote(family.plain)
    ? families
        .filter(({ plain }) => isQuote(plain))
        .map(({ characters }) => characters)
        .join("")
    : family.characters;
}

function isQuote(plain: string): boolean {
  return plain === "'" || plain === '"';
}

/** For use inside a regular expression's character class. */
export const typographicClass = families.map(({ characters }) => characters).join("");

/** One pattern per kind of character, matching its ASCII form and all typographic ones. */
export const typographicKinds: readonly RegExp[] = families
  .filter(({ plain }) => plain.length === 1)
  .map(({ plain, characters }) => new RegExp(`[${characters}${plain}]`, "g"));

/** Replaces all typographic characters by their ASCII form. */
export function plainTypography(text: string): string {
  return text.replace(typographicCharacters, plainCharacter);
}

const typographicCharacters = new RegExp(`[${typographicClass}]`, "g");
