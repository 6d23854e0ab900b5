export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Key-sorted JSON, so that the same value always gives the same text and the same hash. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (!isPlainObject(inner)) return inner;
    const keys = Object.keys(inner);
    if (isSorted(keys)) return inner;
    return Object.fromEntries(keys.sort().map((key) => [key, inner[key]]));
  });
}

function isSorted(keys: string[]): boolean {
  for (let index = 1; index < keys.length; index++) {
    if (keys[index - 1]! > keys[index]!) return false;
  }
  return true;
}
