import { arrayChecks } from "./checks/array-checks.ts";
import { combinationChecks } from "./checks/combination-checks.ts";
import { numberChecks } from "./checks/number-checks.ts";
import { objectChecks } from "./checks/object-checks.ts";
import { stringChecks } from "./checks/string-checks.ts";
import { valueChecks } from "./checks/value-checks.ts";
import type { CreateCheck } from "./schema-site.ts";

/** One entry per keyword, in the order in which problems are reported. */
export const keywordChecks: ReadonlyMap<string, CreateCheck> = new Map(
  Object.entries({
    ...valueChecks,
    ...stringChecks,
    ...numberChecks,
    ...objectChecks,
    ...arrayChecks,
    ...combinationChecks,
  }),
);

export const unsupportedKeywords: readonly string[] = [
  "unevaluatedProperties",
  "unevaluatedItems",
  "$dynamicRef",
  "$recursiveRef",
  "dependencies",
  "additionalItems",
];
