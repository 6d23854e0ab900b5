import { StoreError } from "./sql/sql-driver.ts";

/** Rows hold our own data, unless somebody has edited the file. */
export function parseStored(
  text: unknown,
  place: string,
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  try {
    return parse(String(text));
  } catch {
    throw damaged(place);
  }
}

export function damaged(place: string): StoreError {
  return new StoreError(`the store is damaged: ${place} cannot be read`);
}
