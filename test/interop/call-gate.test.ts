import { expect, test } from "vitest";
import { createCallGate } from "../../src/interop/call-gate.ts";

/** Work that says when it begins and ends, and ends when it is told to. */
function createWork(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const run = async () => {
    log.push(`${name} begins`);
    await promise;
    log.push(`${name} ends`);
  };
  return { run, end: resolve, fail: reject };
}

const settle = () => new Promise(setImmediate);

test("safe work runs together, other work waits for all before it and holds up all after it", async () => {
  const enter = createCallGate();
  const log: string[] = [];
  const [one, two, alone, three] = ["one", "two", "alone", "three"].map((name) => createWork(log, name));
  const all = [
    enter(true, one!.run),
    enter(true, two!.run),
    enter(false, alone!.run),
    enter(true, three!.run),
  ];
  await settle();
  expect(log).toEqual(["one begins", "two begins"]);
  two!.end();
  one!.end();
  await settle();
  expect(log.slice(2)).toEqual(["two ends", "one ends", "alone begins"]);
  alone!.end();
  three!.end();
  await Promise.all(all);
  expect(log.slice(5)).toEqual(["alone ends", "three begins", "three ends"]);
});

test("work that fails lets the next one in, and the failure is its caller's", async () => {
  const enter = createCallGate();
  const failed = [
    enter(false, () => Promise.reject(new Error("no"))),
    enter(true, () => Promise.reject(new Error("no"))),
  ];
  expect(await enter(false, async () => "in")).toBe("in");
  expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("work that enters again from inside does not wait for itself", async () => {
  const enter = createCallGate();
  expect(await enter(false, () => enter(false, () => enter(true, async () => "deep")))).toBe("deep");
});
