/** Receives what is inside a value; returning false stops the walk. */
export interface StringCollector {
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
