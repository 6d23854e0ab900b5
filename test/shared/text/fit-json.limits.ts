import { expect, test } from "vitest";
import { fitJson } from "../../../src/shared/text/fit-json.ts";
import { cpuMs } from "../../support/cpu-ms.ts";

test("a value with too many names is given up before it is gone through", () => {
  const named = Array.from({ length: 100_000 }, (_, index) => [`name ${index}`, "a"]);
  const wide = Object.fromEntries(named) as Record<string, string>;
  let nested: unknown = "a";
  for (let depth = 0; depth < 100; depth += 1) nested = [nested, "b\n".repeat(20_000)];
  expect(cpuMs(() => [fitJson({ nested }, 30_000), fitJson(wide, 30_000)])).toBeLessThan(500);
});
