/** A name as the most forgiving file system would read it, so that no spelling of a protected name gets past. */
export function foldName(name: string): string {
  // Most names: nothing in them can be normalised, skipped or cut off.
  if (/^[\w.-]*[\w-]$/.test(name)) return name.toLowerCase();
  return foldCase(name.normalize("NFKC").replace(ignorable, ""))
    .normalize("NFKC")
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "");
}

// HFS+ and others skip these when they compare names.
const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

/** Up and down again: that way `ı`, `ſ` and `ß` meet what they are folded with. */
function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase();
}
