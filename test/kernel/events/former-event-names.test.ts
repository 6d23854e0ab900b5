import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { formerEventNames } from "../../../src/kernel/events/former-event-names.ts";
import { eventNames, type SessionEvent } from "../../../src/kernel/events/session-event.ts";
import { allEvents } from "../store/events.ts";
import { openTemporaryStore } from "../store/temporary-store.ts";

test("every event is named by what it is about and what happens to it, in one style", () => {
  expect(eventNames.filter((name) => !/^[a-z]+(-[a-z]+)?$/.test(name))).toEqual([]);
  // `call-start`, not `call-started`, `file_changed` or `waiting`.
  expect(eventNames.filter((name) => /(ed|ing|en|sent)$/.test(name) && name !== "session-open")).toEqual([]);
});

test.each([...formerEventNames])("an event that was logged as %s is read as %s", async (former, current) => {
  const { store, file } = await openTemporaryStore();
  await store.openSession({ id: "one", workspace: "/" });
  const event = { type: current, event: { type: current, channel: "monitor" }, callId: "call_1" } as unknown;
  await store.append("one", { events: [event as SessionEvent] });
  const asWritten = await allEvents(store, "one");
  const database = new DatabaseSync(file, { timeout: 5000 });
  database
    .prepare("UPDATE events SET body = replace(body, ?, ?)")
    .run(`"type":"${current}"`, `"type":"${former}"`);
  expect(database.prepare("SELECT body FROM events").get()!.body).toContain(former);
  database.close();
  const [read] = await allEvents(store, "one");
  expect(read!.type).toBe(current);
  if (current === "subagent-event") expect([read]).toEqual(asWritten);
});

test("events that a sub-agent's sub-agent told are read under today's names too", async () => {
  const { store, file } = await openTemporaryStore();
  await store.openSession({ id: "one", workspace: "/" });
  const inner = { type: "job-end", sequence: 1 };
  const told = {
    type: "subagent-event",
    event: { type: "subagent-event", event: inner, channel: "monitor" },
  };
  await store.append("one", { events: [{ ...told, subagentId: "a" } as unknown as SessionEvent] });
  const asWritten = await allEvents(store, "one");
  const database = new DatabaseSync(file, { timeout: 5000 });
  for (const [former, current] of formerEventNames)
    database.prepare("UPDATE events SET body = replace(body, ?, ?)").run(`"${current}"`, `"${former}"`);
  expect(database.prepare("SELECT body FROM events").get()!.body).toMatch(
    /subagent_event.*subagent_event.*job-ended/,
  );
  database.close();
  expect(await allEvents(store, "one")).toEqual(asWritten);
});

test("an event whose fields only look like an older event's is left as it is", async () => {
  const { store } = await openTemporaryStore();
  await store.openSession({ id: "one", workspace: "/" });
  const custom = {
    type: "custom",
    callId: "c",
    tool: "t",
    eventType: "file_changed",
    data: { type: "job-ended" },
  } as const;
  await store.append("one", { events: [custom] });
  expect(await allEvents(store, "one")).toMatchObject([custom]);
});
