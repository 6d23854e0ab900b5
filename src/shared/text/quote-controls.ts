/**
 * Quotes a name that contains a line break, another control character or a hidden one, so that it cannot look like two or
 * like another, and one that begins like a note of ours or like a quoted name.
 */
export function quoteControls(name: string): string {
  return deceptive.test(name) ? quoteText(name) : name;
}

/** As JSON has it, with hidden characters written out too. */
export function quoteText(text: string): string {
  return JSON.stringify(text).replace(leftByJson, toEscape);
}

const deceptive = /^["(]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

// JSON does not escape these, and terminals interpret some of them.
const leftByJson = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON has four digits for each half of a character that has two. */
function toEscape(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
