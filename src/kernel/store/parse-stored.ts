import { parseFrozen } from "../../shared/parse-frozen.ts";

/** A stored value; undefined if somebody has edited the file, or the disk has failed. */
export function parseStored(text: unknown): unknown {
  try {
    return parseFrozen(String(text));
  } catch {
    return undefined;
  }
}
