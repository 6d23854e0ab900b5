import { parseFrozen } from "../../shared/json.ts";

/** Parses a stored value; undefined if the file was edited, or the disk has failed. */
export function parseStored(text: unknown): unknown {
  try {
    return parseFrozen(String(text));
  } catch {
    return undefined;
  }
}
