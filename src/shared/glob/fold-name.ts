import { trimEndOf } from "../text/trim-end-of.ts";

/** Folds a name as the most lenient file system would, so that no spelling of a protected name slips through. */
export function foldName(name: string): string {
  // Fast path for most names, which have nothing to normalise, skip or cut off.
  if (/^[\w.-]*[\w-]$/.test(name)) return name.toLowerCase();
  const plain = name.normalize("NFKC").replace(ignorable, "");
  // To upper and back to lower case, so that `ı`, `ſ` and `ß` equal the letters they fold to.
  const folded = plain.toUpperCase().toLowerCase().normalize("NFKC");
  const [own = ""] = folded.split(":", 1);
  return trimEndOf(own, ". ");
}

// HFS+ and others ignore these when they compare names.
const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;
