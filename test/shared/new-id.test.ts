import { expect, test, vi } from "vitest";
import { newId, nextTime } from "../../src/shared/new-id.ts";
import { stopClock } from "../support/stop-clock.ts";

test("an id says what it belongs to, and holds the time and twelve random digits", () => {
  const before = Date.now();
  const [, time = "", digits] = /^call_([0-9a-z]{8})([0-9a-f]{12})$/.exec(newId("call")) ?? [];
  expect(digits).toHaveLength(12);
  expect(Number.parseInt(time, 36)).toBeGreaterThanOrEqual(before);
  expect(Number.parseInt(time, 36)).toBeLessThanOrEqual(Date.now());
});

test("no two of many thousand ids are alike, whatever comes before their digits", () => {
  const digits = Array.from({ length: 50_000 }, () => newId("x").slice(-12));
  expect(new Set(digits).size).toBe(digits.length);
});

test("times that follow each other are in order, however fast they come, and after the clock was set back", () => {
  stopClock();
  const times = Array.from({ length: 50 }, nextTime);
  expect(new Set(times).size).toBe(50);
  expect(times.toSorted()).toEqual(times);
  const back = new Date(Date.now() - 3_600_000);
  vi.setSystemTime(back);
  expect(nextTime()).toBe(back.toISOString());
});
