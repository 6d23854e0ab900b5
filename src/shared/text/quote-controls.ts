/** Quotes a name that contains a line break or another control character, so that it cannot look like two. */
export function quoteControls(name: string): string {
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? JSON.stringify(name).replace(leftByJson, toEscape) : name;
}

// JSON does not escape these, and terminals interpret some of them.
const leftByJson = /[\x7f-\x9f\u2028\u2029]/g;

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
