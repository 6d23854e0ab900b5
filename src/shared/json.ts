export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Whether a value can certainly be written as JSON. False for deep nesting, a `toJSON` or an instance of a class, which
 * have to be tried.
 */
export function isSurelyJson(value: unknown, maxDepth = 8): boolean {
  if (typeof value !== "object" || value === null) return isJsonScalar(value);
  if (maxDepth === 0 || "toJSON" in value || !(Array.isArray(value) || isPlainObject(value))) return false;
  const inner = Array.isArray(value) ? value : Object.values(value);
  for (const each of inner) if (!isSurelyJson(each, maxDepth - 1)) return false;
  return true;
}

function isJsonScalar(value: unknown): boolean {
  return (
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null
  );
}

/** The kind of an object that JSON would write as `{}`, whatever is in it; undefined if there is none in the value. */
export function findEmptied(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || "toJSON" in value) return undefined;
  const kind = emptiedKinds.find((each) => value instanceof each);
  if (kind !== undefined) return kind.name;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    const emptied = findEmptied(inner);
    if (emptied !== undefined) return emptied;
  }
  return undefined;
}

const emptiedKinds = [Map, Set, WeakMap, WeakSet, Promise, RegExp, Error];

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

/** The value of a JSON text; undefined for another text. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON into a frozen value, so that several readers can share it. */
export function parseFrozen(text: string): unknown {
  return freeze(JSON.parse(text));
}

/** After parsing: a reviver called for every value takes several times as long. */
function freeze(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
