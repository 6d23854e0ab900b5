import { expect, test } from "vitest";
import { adapters } from "./adapters.ts";
import { reasons } from "./reasons.ts";
import { isTested, textFunctions } from "./text-functions.ts";

test("every function that takes text is tested, or says why not", () => {
  const missing = textFunctions.filter((each) => !isTested(each) && !Object.hasOwn(reasons, each.name));
  expect(missing.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  const names = new Set(textFunctions.map(({ name }) => name));
  expect([...Object.keys(adapters), ...Object.keys(reasons)].filter((name) => !names.has(name))).toEqual([]);
});
