export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Key-sorted JSON, so that the same value always gives the same text and the same hash. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(hasSortedKeys(value) ? value : sortKeys(value));
}

function hasSortedKeys(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(hasSortedKeys);
  let last = "";
  for (const [key, inner] of Object.entries(value)) {
    if (key < last || !hasSortedKeys(inner)) return false;
    last = key;
  }
  return true;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key])]),
  );
}
