import { expect, onTestFinished, test } from "vitest";
import { createGuestPool } from "../../../../src/capabilities/made/guest/guest-pool.ts";
import { until } from "../../../support/until.ts";
import { bashGuest, someTool } from "./bash-guest.ts";

/** Answers every call with the id of its process. */
const countingGuest = `call=1; while read -r _ <&3; do call=$((call + 1)); echo "{\\"answer\\":$call,\\"value\\":$$}" >&3; done`;

function openPool(options: { maxIdle?: number; maxIdleMs?: number } = {}) {
  const pool = createGuestPool(async () => bashGuest(countingGuest), options);
  onTestFinished(pool.close);
  const call = async (sessionId: string, code = "") => {
    const given = { sessionId, signal: AbortSignal.timeout(10_000), use: async () => null };
    return (await pool.run({ ...someTool, code }, {}, given)) as number;
  };
  return { pool, call };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a process of a made tool is kept for the same version in the same session, and for no other", async () => {
  const { pool, call } = openPool();
  const one = await call("one");
  expect(await call("one")).toBe(one);
  expect(await call("two")).not.toBe(one);
  expect(await call("one", "changed")).not.toBe(one);
  expect(await call("one")).toBe(one);
  await pool.forget("one");
  expect(isRunning(one)).toBe(false);
  expect(await call("one")).not.toBe(one);
});

test("calls of a made tool at once have a process each, and only the latest few processes are kept", async () => {
  const { call } = openPool({ maxIdle: 2 });
  const [one, two] = await Promise.all([call("one"), call("one")]);
  expect(one).not.toBe(two);
  const three = await call("three");
  const four = await call("four");
  await until(() => !isRunning(one!) && !isRunning(two!));
  expect([three, four].map(isRunning)).toEqual([true, true]);
  expect(await call("three")).toBe(three);
});

test("a process that is not used for a while is ended, and all processes are when the pool is closed", async () => {
  const brief = openPool({ maxIdleMs: 20 });
  const idle = await brief.call("one");
  await until(() => !isRunning(idle));
  expect(await brief.call("one")).not.toBe(idle);

  const { pool, call } = openPool();
  const kept = await Promise.all([call("one"), call("two")]);
  await pool.close();
  expect(kept.map(isRunning)).toEqual([false, false]);
});
