export interface StringChange {
  text(text: string, key: string): string;
  /** Changes keys. Default: keys stay. */
  name?(name: string): string;
}

/** The value with every string in it changed. Returns the same value, not a copy, if nothing changes. */
export function mapStrings(value: unknown, change: StringChange, key = ""): unknown {
  if (typeof value === "string") return change.text(value, key);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return mapItems(value, change, key);
  return hasOwnJson(value) ? mapOwnJson(value, change, key) : mapFields(value, change);
}

function mapItems(items: readonly unknown[], change: StringChange, key: string): unknown {
  let copy: unknown[] | undefined;
  // By index: an iterator allocates an array for every item, and there may be many thousands.
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    const changed = mapStrings(item, change, key);
    if (changed === item) continue;
    copy ??= [...items];
    copy[index] = changed;
  }
  return copy ?? items;
}

/** An object with a `toJSON` is changed in that form. */
function mapOwnJson(value: { toJSON(key: string): unknown }, change: StringChange, key: string): unknown {
  const json = value.toJSON(key);
  const changed = mapStrings(json, change, key);
  return changed === json ? value : changed;
}

function hasOwnJson(value: object): value is { toJSON(key: string): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

function mapFields(value: object, change: StringChange): unknown {
  const source = value as Record<string, unknown>;
  const names = Object.keys(source);
  let fields: [string, unknown][] | undefined;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index]!;
    const inner = source[name];
    const newName = change.name?.(name) ?? name;
    const changed = mapStrings(inner, change, name);
    if (newName !== name || changed !== inner)
      fields ??= names.slice(0, index).map((earlier) => [earlier, source[earlier]]);
    fields?.push([newName, changed]);
  }
  return fields === undefined ? value : Object.fromEntries(fields);
}

/** Receives the strings and names inside a value; returning false stops the walk. */
interface StringCollector {
  text(text: string): boolean;
  name(name: string): boolean;
}

/** Passes on every string and every key in a value. False if it was stopped, or could not see everything. */
export function collectStrings(value: unknown, collector: StringCollector): boolean {
  if (typeof value === "string") return collector.text(value);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return true;
  if (Array.isArray(value)) return collectItems(value, collector);
  // An object with a `toJSON` would have to be checked in that form.
  return !("toJSON" in value) && collectFields(value as Record<string, unknown>, collector);
}

function collectItems(items: readonly unknown[], collector: StringCollector): boolean {
  // By index: an iterator allocates an object for every item, and there may be many thousands.
  for (let index = 0; index < items.length; index += 1) {
    if (!collectStrings(items[index], collector)) return false;
  }
  return true;
}

function collectFields(fields: Record<string, unknown>, collector: StringCollector): boolean {
  const names = Object.keys(fields);
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index]!;
    if (!collector.name(name) || !collectStrings(fields[name], collector)) return false;
  }
  return true;
}
