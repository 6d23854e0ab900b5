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
