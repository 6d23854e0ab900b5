import { findIndentShift, type IndentPair } from "./indent-shift.ts";

/** Maps an indentation as written to the file's; undefined if unknown. */
export type IndentMap = (indent: string) => string | undefined;

/** Known pairs first; other indentations are extrapolated if all pairs follow one rule. */
export function createIndentMap(pairs: readonly IndentPair[]): IndentMap {
  const counts = new Map<string, Map<string, number>>();
  for (const { wanted, found } of pairs) {
    const forms = counts.get(wanted) ?? new Map<string, number>();
    counts.set(wanted, forms.set(found, (forms.get(found) ?? 0) + 1));
  }
  const shift = findIndentShift(pairs);
  return (indent) => {
    const forms = counts.get(indent);
    return forms === undefined ? shift?.(indent) : mostlyUsed(forms);
  };
}

// Tolerates a single line that was written with the wrong indentation.
const muchMore = 4;

function mostlyUsed(counts: ReadonlyMap<string, number>): string | undefined {
  const [[found, count] = [undefined, 0], [, nextCount] = [undefined, 0]] = [...counts].sort(
    ([, left], [, right]) => right - left,
  );
  return count >= muchMore * nextCount ? found : undefined;
}
