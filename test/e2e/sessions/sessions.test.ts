import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { LoggedEvent, Session } from "../../../src/index.ts";
import { oneTo } from "../../kernel/store/events.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { createPlace } from "../open-temporary-runtime.ts";

test("a session that is open is given out again, also when it is asked for twice at once", async () => {
  const runtime = await (await createPlace()).open();
  const [first, second] = await Promise.all(oneTo(2).map(() => runtime.openSession({ id: "one" })));
  expect(second).toBe(first);
  expect(await runtime.openSession({ id: "one" })).toBe(first);
  const made = await runtime.openSession();
  expect(made.id).toMatch(/^session_/);
  expect(await runtime.openSession({ id: made.id })).toBe(made);
});

test.each(["", "../up", "a/b", ".hidden", "a b", "a\n", "x".repeat(129)])(
  "%j cannot be a session's id",
  async (id) => {
    const runtime = await (await createPlace()).open();
    await expect(runtime.openSession({ id })).rejects.toThrow("a session's id must be");
    expect(await runtime.sessions()).toEqual([]);
  },
);

test("closing a session cancels the calls that run, waits for them, and can be done twice", async () => {
  const runtime = await (await createPlace()).open();
  const session = await runtime.openSession({ id: "one" });
  const { call, isRunning } = startHanging(session);
  await isRunning;
  await Promise.all([session.close(), session.close()]);
  await session.close();
  expect(session.isOpen).toBe(false);
  expect(await call).toMatchObject({ status: "cancelled", receipt: { position: 1 } });
  expect(await runtime.receipts({ callId: (await call).callId })).toMatchObject([{ status: "cancelled" }]);
  expect(await session.call("note_down", { text: "x" })).toMatchObject({
    status: "failed",
    error: { code: "session-closed" },
  });
});

test("closing the runtime closes every session and ends every stream after its last event", async () => {
  const runtime = await (await createPlace()).open();
  const sessions = await Promise.all(["one", "two"].map((id) => runtime.openSession({ id })));
  const streams = sessions.map((session) => collect(session.events()));
  const hanging = sessions.map(startHanging);
  await Promise.all(hanging.map(({ isRunning }) => isRunning));
  await runtime.close();
  for (const { call } of hanging) expect(await call).toMatchObject({ status: "cancelled" });
  for (const events of await Promise.all(streams)) {
    expect(events.map(({ sequence }) => sequence)).toEqual(oneTo(events.length));
    expect(events.at(-1)).toMatchObject({ type: "session-close" });
  }
  for (const session of sessions) expect(session.isOpen).toBe(false);
  await expect(runtime.openSession({ id: "one" })).rejects.toThrow("the runtime is closed");
  await runtime.close();
});

test("a session whose end cannot be recorded fails to close with the reason, and is closed all the same", async () => {
  const { open, store } = await createPlace();
  const runtime = await open();
  const session = await runtime.openSession({ id: "one" });
  const database = new DatabaseSync(store.slice("sqlite:".length), { timeout: 5000 });
  database.exec(`CREATE TRIGGER no_end BEFORE INSERT ON events WHEN NEW.body LIKE '%session-close%'
    BEGIN SELECT RAISE(ABORT, 'no end here'); END`);
  database.close();
  const events = collect(session.events());
  await expect(session.close()).rejects.toThrow("no end here");
  await session.close();
  await session.closed;
  expect(await events).toMatchObject([{ type: "session-open" }]);
});

test("a session that is opened after it was closed, or while it is closing, is resumed", async () => {
  const runtime = await (await createPlace()).open();
  const first = await runtime.openSession({ id: "one" });
  await first.close();
  const second = await runtime.openSession({ id: "one" });
  expect(second).not.toBe(first);
  expect(second.resumed).toBe(true);
  const closing = second.close();
  const third = await runtime.openSession({ id: "one" });
  await closing;
  expect(third.isOpen).toBe(true);
  expect(await third.call("note_down", { text: "x" })).toMatchObject({ status: "done" });
  await third.close();
  const fourth = await runtime.openSession({ id: "one" });
  const events = collect(fourth.events({ channels: ["monitor"] }));
  await fourth.close();
  const kinds = (await events).map(({ type }) => type).filter((type) => type.startsWith("session-"));
  expect(kinds).toEqual(oneTo(4).flatMap(() => ["session-open", "session-close"]));
});

test("sessions are listed with the number of their calls", async () => {
  const runtime = await (await createPlace()).open();
  const session = await runtime.openSession({ id: "one" });
  for (const text of ["a", "b", "c"]) await session.call("note_down", { text });
  await session.close();
  await runtime.openSession({ id: "two" });
  expect(await runtime.sessions()).toEqual([
    expect.objectContaining({ id: "two", calls: 0 }),
    expect.objectContaining({ id: "one", calls: 3, closedAt: expect.any(String) }),
  ]);
});

test("custom events, progress and variables of the session and of the task are there after a restart", async () => {
  const { open } = await createPlace();
  const before = await open();
  const session = await before.openSession({ id: "one", taskId: "task" });
  const beside = await before.openSession({ id: "two", taskId: "task" });
  await session.call("note_down", { text: "kept" });
  expect(beside.taskVariables.get("text")).toBe("kept");
  expect(beside.variables.has("text")).toBe(false);
  beside.taskVariables.set("outside", { of: ["any", "call"] });
  session.variables.set("outside", 1);
  await before.close();

  const after = await open();
  const resumed = await after.openSession({ id: "one" });
  expect(Object.fromEntries(resumed.variables.entries())).toEqual({ text: "kept", outside: 1 });
  expect(Object.fromEntries(resumed.taskVariables.entries())).toEqual({
    text: "kept",
    outside: { of: ["any", "call"] },
  });
  const events = collect(resumed.events());
  await resumed.close();
  expect(await events).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: "custom", eventType: "noted", data: { text: "kept" } }),
      expect.objectContaining({ type: "call-progress", update: { step: 1 } }),
    ]),
  );
});

function startHanging(session: Session) {
  const { promise: isRunning, resolve } = Promise.withResolvers<void>();
  return { call: session.call("hang", {}, { onProgress: () => resolve() }), isRunning };
}

async function collect(stream: AsyncIterable<LoggedEvent>): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

test("a session that is open already is not handed out under other conditions than it has", async () => {
  const { runtime, session } = await openTestSession({}, { id: "shared", mode: "auto" });
  expect(await runtime.openSession({ id: "shared" })).toBe(session);
  await expect(runtime.openSession({ id: "shared", mode: "readonly" })).rejects.toThrow("is already open");
  await session.close();
  await expect(runtime.openSession({ id: "shared", taskId: "another" })).rejects.toThrow(
    "belongs to task shared",
  );
});
