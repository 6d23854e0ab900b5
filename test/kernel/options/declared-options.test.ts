import { expect, test } from "vitest";
import { capabilities, type DeclaredOptions, declaredOptions } from "../../../src/capabilities.ts";
import { kernelOptions } from "../../../src/kernel/options/kernel-options.ts";
import type { RuntimeOptions } from "../../../src/kernel/runtime/runtime-options.ts";
import type { OptionTable } from "../../../src/shared/options/option.ts";

test("options of a runtime: each is declared once, with the type that users see", () => {
  // The compiler refuses these if a room declares an option that users do not see, or the other way round.
  const isDeclared = (declared: DeclaredOptions): OptionTable<RuntimeOptions> => declared;
  const isSeen: [Exclude<keyof DeclaredOptions, keyof RuntimeOptions>] extends [never] ? true : never = true;
  expect([isDeclared.length, isSeen]).toEqual([1, true]);
  const tables = [kernelOptions, ...capabilities.map(({ options = {} }) => options)];
  expect(declaredOptions.all.size).toBe(tables.flatMap((table) => Object.keys(table)).length);
});

test("options of a configuration file: each has a description, which docs/options.md shows", () => {
  const undescribed = [...declaredOptions.all].filter(([, { file }]) => file && !file.schema.description);
  expect(undescribed.map(([name]) => name)).toEqual([]);
});
