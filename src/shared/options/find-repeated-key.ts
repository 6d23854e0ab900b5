/**
 * The first key that an object in a JSON text has twice, and its line. Of two lists of the same name, parsers keep only
 * one, so that the other would silently have no effect. The text must be valid.
 */
export function findRepeatedKey(text: string): { readonly key: string; readonly line: number } | undefined {
  const open: { keys?: Set<string>; isKeyNext: boolean }[] = [];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|[{}[\],]/gs)) {
    const inner = open.at(-1);
    if (token === "{") open.push({ keys: new Set(), isKeyNext: true });
    else if (token === "[") open.push({ isKeyNext: false });
    else if (token === "}" || token === "]") open.pop();
    else if (inner?.keys === undefined) continue;
    else if (token === ",") inner.isKeyNext = true;
    else if (inner.isKeyNext) {
      const key = JSON.parse(token) as string;
      if (inner.keys.has(key)) return { key, line: text.slice(0, index).split("\n").length };
      inner.keys.add(key);
      inner.isKeyNext = false;
    }
  }
  return undefined;
}
