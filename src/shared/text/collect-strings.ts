/** Takes what is inside a value; false ends it. */
export interface StringCollector {
  text(text: string): boolean;
  name(name: string): boolean;
}

/** Hands over every string inside a value and every name in it; false where that was ended, or is not all there is. */
export function collectStrings(value: unknown, collector: StringCollector): boolean {
  if (typeof value === "string") return collector.text(value);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return true;
  if (Array.isArray(value)) return collectItems(value, collector);
  // What is written as JSON in a form of its own has to be looked at in that form.
  return !("toJSON" in value) && collectFields(value as Record<string, unknown>, collector);
}

function collectItems(items: readonly unknown[], collector: StringCollector): boolean {
  // By index: an iterator makes an object for every item, of which there may be many thousands.
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
