/**
 * The text without the colours that we gave it. Only those: foreign text was made printable before, and searching for
 * every kind of escape, as Node and libraries do, takes quadratic time.
 */
export function withoutStyles(text: string): string {
  return text.replace(/\u001b\[[0-9;]*m/g, "");
}
