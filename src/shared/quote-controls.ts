/** A name with a line break or another control character in it, such that it cannot look like two. */
export function quoteControls(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
}
