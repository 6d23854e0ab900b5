import { expect, test } from "vitest";
import { traced } from "../../../src/shared/tracing/traced.ts";
import { cpuMs } from "../../support/cpu-ms.ts";

test("tracing that is not in use costs a microsecond at most", async () => {
  const start = () => ({ name: "x", kind: "internal", attributes: {} }) as const;
  const work = () => Promise.resolve(1);
  const end = () => ({ attributes: {} });
  const calls = 20_000;
  const microsecondsOf = (call: () => unknown) => {
    const round = () => {
      for (let count = 0; count < calls; count += 1) call();
    };
    return (Math.min(...Array.from({ length: 8 }, () => cpuMs(round))) * 1000) / calls;
  };
  const bare = microsecondsOf(work);
  expect(microsecondsOf(() => traced(start, work, end)) - bare).toBeLessThan(1);
});
