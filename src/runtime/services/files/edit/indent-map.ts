import { findIndentShift, type IndentPair } from "./indent-shift.ts";

/** From the indentation that a caller wrote to the one that the file has; undefined where nothing tells. */
export type IndentMap = (indent: string) => string | undefined;

/** What the pairs say themselves and, where they follow one rule, what that says of other indentations. */
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

// A single line may have been written wrongly.
const muchMore = 4;

function mostlyUsed(counts: ReadonlyMap<string, number>): string | undefined {
  const [[found, count] = [undefined, 0], [, nextCount] = [undefined, 0]] = [...counts].sort(
    ([, left], [, right]) => right - left,
  );
  return count >= muchMore * nextCount ? found : undefined;
}
