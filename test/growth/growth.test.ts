import { expect, test } from "vitest";
import { adapters } from "./adapters.ts";
import { reasons } from "./reasons.ts";
import { isTested, textFunctions } from "./text-functions.ts";
import { findVisibleNames } from "./visible-functions.ts";

const visible = await findVisibleNames();
const untested = textFunctions
  .filter((each) => !isTested(each))
  .filter(({ file, name }) => visible.has(`${file}: ${name}`) || visible.has(`${file}: *`));

test("every function that takes text and that other rooms can call is tested, or says why not", () => {
  const missing = untested.filter(({ name }) => !Object.hasOwn(reasons, name));
  expect(missing.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});

test("adapters and reasons that no function needs any more are removed", () => {
  const needed = new Set(untested.map(({ name }) => name));
  expect(Object.keys(reasons).filter((name) => !needed.has(name))).toEqual([]);
  const names = new Set(textFunctions.map(({ name }) => name));
  expect(Object.keys(adapters).filter((name) => !names.has(name))).toEqual([]);
});
