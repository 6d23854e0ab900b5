import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { eventKey } from "../../../../src/kernel/store/sql/event-key.ts";
import { allEvents, custom } from "../events.ts";
import { openTemporaryStore } from "../temporary-store.ts";

test("every key of a store is a whole number that JavaScript holds exactly, and what has no room is refused", () => {
  const [lastSession, lastSequence] = [2 ** 21 - 1, 2 ** 32 - 1];
  expect(eventKey(lastSession, lastSequence)).toBe(Number.MAX_SAFE_INTEGER);
  expect(eventKey(1, lastSequence) + 1).toBe(eventKey(2, 0));
  expect(() => eventKey(1, lastSequence + 1)).toThrow("the session is full");
  expect(() => eventKey(lastSession + 1, 1)).toThrow("its number, 2097152, is out of range");
});

test("a session whose number is damaged is called that, and a store without another number is called full", async () => {
  const { store, file } = await openTemporaryStore();
  for (const id of ["one", "two"]) await store.append(id, { events: [custom(id)] });
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  database.exec(`UPDATE sessions SET number = ${2 ** 21 + 5} WHERE id = 'one'`);
  await store.openSession({ id: "one", workspace: "/" });
  const adding = store.append("one", { events: [custom("one")] });
  await expect(adding).rejects.toThrow("the record of the session is damaged: its number, 2097157");
  await store.append("three", { events: [custom("three")] });

  database.exec(`UPDATE sessions SET number = ${2 ** 21 - 2} WHERE id = 'one'`);
  await expect(store.openSession({ id: "four", workspace: "/" })).rejects.toThrow("the store is full");
  await store.append("two", { events: [custom("two")] });
});

test("reading from beyond a session's end does not run into the next session", async () => {
  const { store } = await openTemporaryStore();
  for (const id of ["one", "two"]) await store.append(id, { events: [custom(id)] });
  expect(await allEvents(store, "one")).toHaveLength(1);
  for (const since of [2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
    expect(await store.readEvents("one", { since, limit: 9 })).toEqual([]);
    expect(await store.rawLogs.readRows("one", { since, limit: 9 })).toEqual([]);
  }
});
