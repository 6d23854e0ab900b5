import { isPlainObject } from "../../shared/json.ts";
import type { ResultFields } from "./dialect.ts";

/** Renames the fields of a result's data for the dialect. Fields that the data lacks are left out. */
export function encodeFields(data: unknown, fields: ResultFields): unknown {
  if (!isPlainObject(data)) return data;
  const encoded: [string, unknown][] = [];
  for (const [field, from] of Object.entries(fields)) {
    const value =
      typeof from === "string" ? valueAt(data, from) : encodeList(valueAt(data, from.list), from.fields);
    if (value !== undefined) encoded.push([field, value]);
  }
  return Object.fromEntries(encoded);
}

function encodeList(list: unknown, fields: ResultFields): unknown {
  return Array.isArray(list) ? list.map((item) => encodeFields(item, fields)) : undefined;
}

function valueAt(data: unknown, path: string): unknown {
  let current = data;
  for (const key of path.split(".")) {
    if (!isPlainObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}
