import { isPlainObject, parseFrozen } from "../../shared/json.ts";

/** Parses a stored value; undefined if the file was edited, or the disk has failed. */
export function parseStored(text: unknown): unknown {
  try {
    return parseFrozen(String(text));
  } catch {
    return undefined;
  }
}

/** Parses a stored object; undefined also for a value that is not one. */
export function parseObject(text: unknown): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(String(text));
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
