import { expect, test } from "vitest";
import { createShelf } from "../../../../../src/runtime/services/processes/command/shelf.ts";

function open({ batch = 4, failures = 0 } = {}) {
  let [made, left] = [0, failures];
  const gone: number[] = [];
  const shelf = createShelf<number>({
    batch,
    async make(count) {
      if (left-- > 0) throw new Error("not now");
      return Array.from({ length: count }, () => made++);
    },
    async letGo(thing) {
      gone.push(thing);
    },
  });
  return { shelf, gone, made: () => made };
}

test("nobody gets what another got, however many come at once", async () => {
  const { shelf } = open();
  const taken = await Promise.all(Array.from({ length: 50 }, () => shelf.take()));
  expect(new Set(taken).size).toBe(50);
});

test("a failure to make more is told to whoever waits for it, and to nobody after it", async () => {
  const { shelf } = open({ failures: 1 });
  await expect(shelf.take()).rejects.toThrow("not now");
  expect(await shelf.take()).toBeTypeOf("number");
});

test("closing lets go of everything that was not taken, and nothing can be taken then", async () => {
  const { shelf, gone, made } = open();
  const taken = [await shelf.take(), await shelf.take(), await shelf.take(), await shelf.take()];
  await shelf.close();
  expect(gone.length + taken.length).toBe(made());
  await expect(shelf.take()).rejects.toThrow("any more");
});
