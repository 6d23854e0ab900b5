/** An object from outside to look into; undefined for everything else. */
export function asFields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The objects of a list from outside; none where it is no list. */
export function asFieldsList(value: unknown): Fields[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.map(asFields).filter((fields) => fields !== undefined);
}

/** An id to answer to; an empty one is none. */
export function withId(id: unknown): { id?: string } {
  return typeof id === "string" && id !== "" ? { id } : {};
}
