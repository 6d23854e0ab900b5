import { expect, test, vi } from "vitest";
import { createMessagePace } from "../../../src/shared/json-rpc/message-pace.ts";
import { stopClock } from "../../support/stop-clock.ts";

test("a server that sends more than its pace rests for as long as it was too fast", () => {
  stopClock();
  const pace = createMessagePace({ perSecond: 1000, atOnce: 10 });
  expect(pace.read(10)).toBe(0);
  expect(pace.read(5)).toBe(5);
  vi.advanceTimersByTime(5);
  expect(pace.read(0)).toBe(0);
  expect(pace.read(1)).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(pace.read(11)).toBe(1);
});

test("a server's answers to requests do not count towards its pace, however many they are", () => {
  stopClock();
  const pace = createMessagePace({ perSecond: 1000, atOnce: 10 });
  for (let round = 0; round < 1000; round++) {
    pace.ask();
    expect(pace.read(1)).toBe(0);
  }
  pace.ask();
  expect(pace.read(12)).toBe(1);
});
