/** The value of a JSON text, which nobody can change: what several readers share stays what was written. */
export function parseFrozen(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown) => Object.freeze(value));
}
