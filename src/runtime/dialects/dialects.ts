import type { Dialect } from "./dialect.ts";
import { dialectNames } from "./dialect-names.ts";
import { flyto } from "./flyto.ts";
import { internal } from "./internal.ts";

export const dialects: readonly Dialect[] = [flyto, internal];

export function findDialect(name: string): Dialect {
  const dialect = dialects.find((each) => each.name === name);
  if (dialect !== undefined) return dialect;
  const known = dialects.map((each) => each.name).join(", ");
  throw new TypeError(`dialect must be one of ${known}; received ${JSON.stringify(name)}`);
}

/** Every name of every dialect with its canonical name: a rule for one name applies to the tool under all of them. */
export function allDialectNames(): Map<string, string> {
  return new Map(dialects.flatMap(dialectNames));
}
