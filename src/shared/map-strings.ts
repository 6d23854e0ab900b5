import { isPlainObject } from "./json.ts";

/** The value with every string inside it changed; the very same value where nothing changes, without a copy. */
export function mapStrings(value: unknown, change: (text: string, key: string) => string, key = ""): unknown {
  if (typeof value === "string") return change(value, key);
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value) && !isPlainObject(value)) return value;
  const source = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(source)) {
    const inner = source[name];
    const changed = mapStrings(inner, change, Array.isArray(value) ? key : name);
    if (changed === inner) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[name] = changed;
  }
  return copy ?? value;
}
