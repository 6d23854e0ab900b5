/** As git does with core.quotePath off, so that a name can be read: only what would end it is escaped. */
export function quoteName(name: string): string {
  const escaped = name.replace(
    /["\\\x00-\x1f\x7f]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return escaped === name ? name : `"${escaped}"`;
}
