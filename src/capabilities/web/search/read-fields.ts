/** The list at these names, one inside the other; empty if one of them is missing. Throws if it is something else. */
export function itemsAt(value: unknown, ...names: readonly string[]): readonly unknown[] {
  let found: unknown = value;
  for (const name of names) {
    if (found === undefined || found === null) return [];
    if (typeof found !== "object" || Array.isArray(found)) throw unexpected(name);
    found = Object.hasOwn(found, name) ? found[name as keyof typeof found] : undefined;
  }
  if (found === undefined || found === null) return [];
  if (!Array.isArray(found)) throw unexpected(names.at(-1) ?? "");
  return found;
}

/** The text under this name; empty if it is missing. */
export function textAt(value: unknown, name: string): string {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return "";
  const found: unknown = value[name as keyof typeof value];
  return typeof found === "string" ? found : "";
}

function unexpected(name: string): Error {
  return new Error(`${JSON.stringify(name)} is not where it should be`);
}
