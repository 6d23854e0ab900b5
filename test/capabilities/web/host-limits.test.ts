import { expect, test, vi } from "vitest";
import { createHostLimits } from "../../../src/capabilities/web/web-access.ts";
import { stopClock } from "../../support/stop-clock.ts";

const never = new AbortController().signal;

/** Work that ends when it is told to. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let hasBegun = false;
  const work = () => {
    hasBegun = true;
    return promise;
  };
  return { work, end: resolve, hasBegun: () => hasBegun };
}

test("four requests to a host run at once, the next begins when one ends; other hosts do not wait", async () => {
  const limits = createHostLimits();
  const works = Array.from({ length: 6 }, openWork);
  const running = works.map(({ work }) => limits.during("a.example", never, work));
  const other = openWork();
  void limits.during("b.example", never, other.work);
  const begun = () => works.filter(({ hasBegun }) => hasBegun()).length;
  await vi.waitFor(() => expect(begun()).toBe(4), { interval: 1, timeout: 45_000 });
  expect(other.hasBegun()).toBe(true);
  works[1]?.end();
  await vi.waitFor(() => expect(begun()).toBe(5), { interval: 1, timeout: 45_000 });
  for (const { end } of works) end();
  await Promise.all(running);
});

test("ten requests in a row go at once, the next ones at two per second", async () => {
  stopClock();
  const limits = createHostLimits();
  let count = 0;
  const finish = async () => {
    for (let index = 0; index < 14; index += 1) {
      await limits.during("a.example", never, async () => {
        count += 1;
      });
    }
  };
  const finished = finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(count).toBe(10);
  await vi.advanceTimersByTimeAsync(499);
  expect(count).toBe(10);
  await vi.advanceTimersByTimeAsync(1);
  expect(count).toBe(11);
  await vi.advanceTimersByTimeAsync(1500);
  await finished;
  expect(count).toBe(14);
});

test("a request that gives up while it waits frees its place, and a failing one its slot", async () => {
  const limits = createHostLimits();
  const works = Array.from({ length: 4 }, openWork);
  const running = works.map(({ work }) => limits.during("a.example", never, work));
  const controller = new AbortController();
  const given = limits.during("a.example", controller.signal, async () => "never");
  const last = limits.during("a.example", never, async () => "last");
  controller.abort(new Error("enough"));
  await expect(given).rejects.toThrow("enough");
  works[0]?.end();
  expect(await last).toBe("last");
  for (const { end } of works) end();
  await Promise.all(running);
  const failing = limits.during("a.example", never, async () => {
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
  expect(await limits.during("a.example", never, async () => "next")).toBe("next");
});
