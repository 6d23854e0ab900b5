/**
 * Quotes a name that contains a line break, another control character or a hidden one, so that it cannot look like two or
 * like another, and one that begins like a note of ours or like a quoted name.
 */
export function quoteControls(name: string): string {
  return deceptive.test(name) ? quoteText(name) : name;
}

/** Writes a text as JSON does, with hidden characters written out too. */
export function quoteText(text: string): string {
  const escapes = new Map<number, string>();
  return JSON.stringify(text).replace(leftByJson, (run: string) => {
    let written = "";
    for (let index = 0; index < run.length; index += 1) {
      const unit = run.charCodeAt(index);
      // Made once: there may be a million of the same.
      const known = escapes.get(unit) ?? escapeUnit(String.fromCharCode(unit));
      escapes.set(unit, known);
      written += known;
    }
    return written;
  });
}

const deceptive = /^["(]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

// JSON does not escape these, and terminals interpret some of them.
const leftByJson = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Escapes a character as JSON does, which has four digits for each half of a character that has two. */
export function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Quotes text as one shell word: names chosen by others may be copied into a shell, and must do nothing there. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
