/** Quotes like git with core.quotePath off: only quotes, backslashes and control characters are escaped. */
export function quoteName(name: string): string {
  const escaped = name.replace(
    /["\\\x00-\x1f\x7f]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return escaped === name ? name : `"${escaped}"`;
}
