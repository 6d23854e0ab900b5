import { arrayChecks } from "./checks/array-checks.ts";
import { combinationChecks } from "./checks/combination-checks.ts";
import { numberChecks } from "./checks/number-checks.ts";
import { objectChecks } from "./checks/object-checks.ts";
import { stringChecks } from "./checks/string-checks.ts";
import { valueChecks } from "./checks/value-checks.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { CreateCheck } from "./schema-site.ts";

export interface KeywordCheck {
  readonly keyword: string;
  readonly create: CreateCheck;
  /** Its place in the order in which problems are reported. */
  readonly place: number;
}

/** The checks of a schema, in the order in which problems are reported. */
export function checksOf(schema: JsonSchema): KeywordCheck[] {
  const checks: KeywordCheck[] = [];
  for (const keyword of Object.keys(schema)) {
    const check = keywordChecks.get(keyword);
    if (check !== undefined) checks.push(check);
  }
  return checks.sort((one, other) => one.place - other.place);
}

const keywordChecks: ReadonlyMap<string, KeywordCheck> = new Map(
  Object.entries({
    ...valueChecks,
    ...stringChecks,
    ...numberChecks,
    ...objectChecks,
    ...arrayChecks,
    ...combinationChecks,
  }).map(([keyword, create], place) => [keyword, { keyword, create, place }]),
);

export const unsupportedKeywords: ReadonlySet<string> = new Set([
  "unevaluatedProperties",
  "unevaluatedItems",
  "$dynamicRef",
  "$recursiveRef",
  "dependencies",
  "additionalItems",
]);
