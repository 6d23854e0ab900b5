import { expect, test, vi } from "vitest";
import { CallerGaveUp, Deadline, DeadlineReached } from "../../src/shared/deadline.ts";
import { stopClock } from "../support/stop-clock.ts";

const never = () => new Promise<never>(() => {});

test("work that is done in time wins the race", async () => {
  const deadline = new Deadline();
  deadline.start(1000);
  expect(await deadline.race(Promise.resolve("done"))).toBe("done");
  deadline.close();
});

test("work that is not done in time loses it, and its signal is aborted", async () => {
  const deadline = new Deadline();
  const { signal } = deadline;
  deadline.start(5);
  await expect(deadline.race(never())).rejects.toBeInstanceOf(DeadlineReached);
  expect(signal.aborted).toBe(true);
  expect(deadline.reason).toBe(signal.reason);
});

test("a signal asked for after the end is aborted already", async () => {
  const deadline = new Deadline();
  deadline.cancel("stop");
  expect(deadline.signal.aborted).toBe(true);
  expect(deadline.signal.reason).toBeInstanceOf(CallerGaveUp);
});

test("a parent's abort ends the work, before or during it", async () => {
  const before = new Deadline(AbortSignal.abort());
  await expect(before.race(never())).rejects.toBeInstanceOf(CallerGaveUp);
  const controller = new AbortController();
  const during = new Deadline(controller.signal);
  const racing = during.race(never());
  controller.abort(new Error("no more"));
  await expect(racing).rejects.toThrow("no more");
});

test("a paused clock stands still, however long the pause", async () => {
  stopClock();
  const deadline = new Deadline();
  deadline.start(30);
  vi.advanceTimersByTime(10);
  deadline.pause();
  deadline.pause();
  vi.advanceTimersByTime(60);
  deadline.resume();
  vi.advanceTimersByTime(60);
  expect(deadline.reason).toBeUndefined();
  deadline.resume();
  vi.advanceTimersByTime(19);
  expect(deadline.reason).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(deadline.reason).toBeInstanceOf(DeadlineReached);
});

test("work that fails after it was given up on causes no unhandled rejection", async () => {
  const deadline = new Deadline();
  const work = Promise.withResolvers<never>();
  const racing = deadline.race(work.promise);
  deadline.cancel("stop");
  await expect(racing).rejects.toBeInstanceOf(CallerGaveUp);
  work.reject(new Error("late"));
  await new Promise((resolve) => setImmediate(resolve));
});

test("a limit longer than a timer can take does not fire at once", async () => {
  const deadline = new Deadline();
  deadline.start(2 ** 40);
  await new Promise((resolve) => setImmediate(resolve));
  expect(deadline.reason).toBeUndefined();
  deadline.close();
});
