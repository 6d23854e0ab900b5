import { expect, test } from "vitest";
import { createCallTurns } from "../../../src/capabilities/interop/create-interop.ts";

/** Work that says when it begins and ends, and ends when it is told to. */
function createWork(log: string[], name: string) {
  const begun = Promise.withResolvers<void>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = async () => {
    log.push(`${name} begins`);
    begun.resolve();
    await promise;
    log.push(`${name} ends`);
  };
  return { run, begun: begun.promise, end: resolve };
}

test("safe work runs together, other work waits for all before it and holds up all after it", async () => {
  const enter = createCallTurns();
  const log: string[] = [];
  const [one, two, alone, three] = ["one", "two", "alone", "three"].map((name) => createWork(log, name));
  const entered = {
    one: enter(true, one!.run),
    two: enter(true, two!.run),
    alone: enter(false, alone!.run),
    three: enter(true, three!.run),
  };
  await Promise.all([one!.begun, two!.begun]);
  two!.end();
  await entered.two;
  one!.end();
  await Promise.all([entered.one, alone!.begun]);
  alone!.end();
  await Promise.all([entered.alone, three!.begun]);
  three!.end();
  await entered.three;
  const together = ["one begins", "two begins", "two ends", "one ends"];
  expect(log).toEqual([...together, "alone begins", "alone ends", "three begins", "three ends"]);
});

test("work that fails lets the next one in, and the failure is its caller's", async () => {
  const enter = createCallTurns();
  const failed = [
    enter(false, () => Promise.reject(new Error("no"))),
    enter(true, () => Promise.reject(new Error("no"))),
  ];
  expect(await enter(false, async () => "in")).toBe("in");
  expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("work that enters again from inside does not wait for itself", async () => {
  const enter = createCallTurns();
  expect(await enter(false, () => enter(false, () => enter(true, async () => "deep")))).toBe("deep");
});
