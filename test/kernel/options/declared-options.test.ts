import { expect, test } from "vitest";
import { capabilities, type DeclaredOptions, declaredOptions } from "../../../src/capabilities.ts";
import { openRuntime } from "../../../src/index.ts";
import { kernelOptions } from "../../../src/kernel/options/kernel-options.ts";
import type { RuntimeOptions } from "../../../src/kernel/runtime/runtime-options.ts";
import { compileSchema } from "../../../src/shared/json-schema/compile-schema.ts";
import type { OptionTable } from "../../../src/shared/options/option.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

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

const valuesOfAnyForm: readonly unknown[] = [5, -1, "some text", "", true, [], [5], {}, { a: 5 }, null];

test.each([...declaredOptions.all].filter(([, { file, codeSchema }]) => file ?? codeSchema))(
  "option %s: code is refused a value of another form than its schema tells, by its name",
  async (name, { file, codeSchema = file?.schema }) => {
    const isRefused = compileSchema({ ...codeSchema });
    const unfit = valuesOfAnyForm.filter((value) => !isRefused(value).ok);
    expect(unfit.length).toBeGreaterThan(3);
    for (const value of unfit) {
      const opening = openRuntime({ store: "memory:", workspace: temporaryFolder(), [name]: value });
      await expect(opening, JSON.stringify(value)).rejects.toThrow(name);
    }
  },
);

test("option secrets: a value of another form is refused and not shown", async () => {
  for (const secrets of ["hunter2", [["hunter2"]], ["hunter2", 5]]) {
    const opening = openRuntime({ store: "memory:", secrets: secrets as string[] });
    await expect(opening).rejects.toThrow(/^(?!.*hunter2).*secrets.* must be/);
  }
});

test("options: numbers without an end and functions, which JSON has not, may be given in code", async () => {
  const runtime = await openRuntime({
    ...{ store: "memory:", workspace: temporaryFolder() },
    budget: { wallTimeMs: Number.POSITIVE_INFINITY },
    hooks: { beforeCall: () => undefined },
  });
  await runtime.close();
});
