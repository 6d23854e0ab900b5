/** An untrusted value's fields if it is an object, otherwise undefined. */
export function asFields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The objects in an untrusted list; empty if it is not a list. */
export function asFieldsList(value: unknown): Fields[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.map(asFields).filter((fields) => fields !== undefined);
}

/** The id as a field of a call, unless the vendor gave none or an empty one. */
export function withId(id: unknown): { id?: string } {
  return typeof id === "string" && id !== "" ? { id } : {};
}

/** A call's id and its name, which is empty if the vendor gave none. */
export function withName(id: unknown, name: unknown): { id?: string; name: string } {
  return { ...withId(id), name: typeof name === "string" ? name : "" };
}

/** The parts of a streamed message in their order, by the index that each of them has. */
export function inOrder<Part>(parts: ReadonlyMap<unknown, Part>): Part[] {
  return [...parts].toSorted(([left], [right]) => Number(left) - Number(right)).map(([, part]) => part);
}
