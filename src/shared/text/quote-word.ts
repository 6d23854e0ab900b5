/** Quotes text as one shell word: names chosen by others may be copied into a shell, and must do nothing there. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
