import { expect, test } from "vitest";
import { eventKey } from "../../../../src/runtime/store/sql/event-key.ts";
import { allEvents, custom } from "../events.ts";
import { openTemporaryStore } from "../temporary-store.ts";

test("every key of a store is a whole number that JavaScript holds exactly, and what has no room is refused", () => {
  const [lastSession, lastSequence] = [2 ** 21 - 1, 2 ** 32 - 1];
  expect(eventKey(lastSession, lastSequence)).toBe(Number.MAX_SAFE_INTEGER);
  expect(eventKey(1, lastSequence) + 1).toBe(eventKey(2, 0));
  expect(() => eventKey(1, lastSequence + 1)).toThrow("the session is full");
  expect(() => eventKey(lastSession + 1, 1)).toThrow("the store is full");
});

test("reading from beyond a session's end does not run into the next session", async () => {
  const { store } = await openTemporaryStore();
  for (const id of ["one", "two"]) await store.append(id, { events: [custom(id)] });
  expect(await allEvents(store, "one")).toHaveLength(1);
  for (const since of [2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
    expect(await store.readEvents("one", { since, limit: 9 })).toEqual([]);
    expect(await store.readLogRows("one", { since, limit: 9 })).toEqual([]);
  }
});
