import { expect, test } from "vitest";
import { createRedactor } from "../../../src/shared/secrets/redact.ts";
import { cpuMs } from "../../support/cpu-ms.ts";

const { text } = createRedactor();

test("twice as many names without values, or values without an end, take no more than about twice as long", () => {
  const costOf = (part: string, count: number) => {
    const given = part.repeat(count);
    return Math.min(...[1, 2, 3].map(() => cpuMs(() => text(given))));
  };
  for (const part of ["password", "token=", "secret: a1", "api_key=a1("])
    expect(costOf(part, 40_000), part).toBeLessThan(4 * costOf(part, 20_000) + 20);
});
