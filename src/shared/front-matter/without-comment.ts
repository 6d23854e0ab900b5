/** A `#` begins a comment where it stands alone or after a space, outside of quotes. */
export function withoutComment(text: string): string {
  if (/^["']/.test(text)) return text;
  const at = text.search(/(?:^|\s)#/);
  return at === -1 ? text : text.slice(0, at).trimEnd();
}
