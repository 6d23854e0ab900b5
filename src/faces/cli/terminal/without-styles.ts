/**
 * Takes from a text the colours that we gave it, and no other escapes: foreign text was made printable before, and
 * searching for every kind of escape, as Node and libraries do, takes quadratic time.
 */
export function withoutStyles(text: string): string {
  return text.replace(/\u001b\[[0-9;]*m/g, "");
}
