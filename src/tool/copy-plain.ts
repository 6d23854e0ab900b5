import { isPlainObject } from "../shared/json.ts";

/** Copies plain objects and arrays all the way down; what a schema library made of other kinds stays itself. */
export function copyPlain(value: unknown, copies = new Map<unknown, unknown>()): unknown {
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    copies.set(value, copy);
    for (const item of value) copy.push(copyPlain(item, copies));
    return copy;
  }
  if (!isPlainObject(value)) return value;
  const copy: Record<string, unknown> = {};
  copies.set(value, copy);
  for (const key of Object.keys(value)) copy[key] = copyPlain(value[key], copies);
  return copy;
}
