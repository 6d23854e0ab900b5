import { expect, test } from "vitest";
import { createPool } from "../../../../src/capabilities/processes/command/command-supplies.ts";

function open({ batch = 4, failures = 0 } = {}) {
  let [made, left] = [0, failures];
  const gone: number[] = [];
  const pool = createPool<number>({
    batch,
    async make(count) {
      if (left-- > 0) throw new Error("not now");
      return Array.from({ length: count }, () => made++);
    },
    async release(thing) {
      gone.push(thing);
    },
  });
  return { pool, gone, made: () => made };
}

test("a pool of supplies hands out each one once, however many callers come at the same time", async () => {
  const { pool } = open();
  const taken = await Promise.all(Array.from({ length: 50 }, () => pool.take()));
  expect(new Set(taken).size).toBe(50);
});

test("a failure to make more supplies reaches the callers that wait for it, and no later ones", async () => {
  const { pool } = open({ failures: 1 });
  await expect(pool.take()).rejects.toThrow("not now");
  expect(await pool.take()).toBeTypeOf("number");
});

test("closing a pool of supplies releases all that were not taken, and no more can be taken", async () => {
  const { pool, gone, made } = open();
  const taken = [await pool.take(), await pool.take(), await pool.take(), await pool.take()];
  await pool.close();
  expect(gone.length + taken.length).toBe(made());
  await expect(pool.take()).rejects.toThrow("the pool is closed");
});
