import { describe, expect, onTestFinished, test } from "vitest";
import type { LoggedEvent } from "../../../src/kernel/events/session-event.ts";
import { type EventQuery, streamEvents } from "../../../src/kernel/session/event-stream.ts";
import type { Store } from "../../../src/kernel/store/store.ts";
import { startChild } from "../store/child.ts";
import { custom, oneTo, progress } from "../store/events.ts";
import { openTemporaryStore } from "../store/temporary-store.ts";

test("a stream replays the log and goes on live without a gap or a double while others write", async () => {
  const { store } = await openTemporaryStore();
  const writers = oneTo(4).map(async (writer) => {
    for (const number of oneTo(250)) await store.append("one", { events: [custom(`${writer}`, number)] });
  });
  const { stream } = startStream(store);
  const seen: number[] = [];
  for await (const { sequence } of stream) {
    seen.push(sequence);
    if (seen.length === 1000) break;
  }
  expect(seen).toEqual(oneTo(1000));
  await Promise.all(writers);
});

test("a stream sees what other processes write, each event once", async () => {
  const { store, file } = await openTemporaryStore();
  const script = new URL("../store/child-append.ts", import.meta.url);
  const children = ["a", "b"].map((label) => startChild(script, [file, "one", "200", label]));
  await Promise.all(children.map((child) => child.nextLine()));
  for (const child of children) child.tell();
  const { stream } = startStream(store);
  const seen: number[] = [];
  for await (const { sequence } of stream) {
    seen.push(sequence);
    if (seen.length === 400) break;
  }
  expect(seen).toEqual(oneTo(400));
});

test("a stream can be taken up again at a bookmark in the middle, also with some channels only", async () => {
  const { store } = await openTemporaryStore();
  for (const number of oneTo(600)) await store.append("one", { events: [custom("a"), progress(number)] });
  const { stream, end } = startStream(store, { since: 601, channels: ["progress"] });
  end();
  const events = await collect(stream);
  expect(events.map(({ sequence }) => sequence)).toEqual(oneTo(1200).filter((n) => n > 601 && n % 2 === 0));
});

test("a bookmark beyond the end waits for what comes after it", async () => {
  const { store } = await openTemporaryStore();
  await store.append("one", { events: [custom("a")] });
  const { stream } = startStream(store, { since: 3 });
  const next = stream.next();
  for (const name of ["b", "c", "d"]) await store.append("one", { events: [custom(name)] });
  expect((await next).value).toMatchObject({ sequence: 4, eventType: "d" });
});

test("a slow reader gets everything, a page at a time", async () => {
  const { store } = await openTemporaryStore();
  const limits: number[] = [];
  const watched: Store = {
    ...store,
    readEvents: async (sessionId, query) => {
      const page = await store.readEvents(sessionId, query);
      limits.push(page.length);
      return page;
    },
  };
  const { stream, end } = startStream(watched);
  const seen: number[] = [];
  const append = () => store.append("one", { events: oneTo(5).map((number) => custom("a", number)) });
  await append();
  for await (const { sequence } of stream) {
    seen.push(sequence);
    if (seen.length <= 400) await append();
    if (seen.length === 2005) end();
  }
  expect(seen).toEqual(oneTo(2005));
  expect(Math.max(...limits)).toBeLessThanOrEqual(256);
});

test("a stream that is ended while its reader is busy gives the last events first", async () => {
  const { store } = await openTemporaryStore();
  const { stream, end } = startStream(store);
  await store.append("one", { events: [custom("a")] });
  expect((await stream.next()).value).toMatchObject({ sequence: 1 });
  await store.append("one", { events: [custom("last")] });
  end();
  expect(await collect(stream)).toMatchObject([{ sequence: 2, eventType: "last" }]);
});

test("leaving the loop, and the stream's end, take the listener away", async () => {
  const { store } = await openTemporaryStore();
  let listeners = 0;
  const watched: Store = {
    ...store,
    onAppend(sessionId, listener) {
      listeners += 1;
      const stop = store.onAppend(sessionId, listener);
      return () => {
        listeners -= 1;
        stop();
      };
    },
  };
  await store.append("one", { events: [custom("a")] });
  for await (const _event of startStream(watched).stream) {
    expect(listeners).toBe(1);
    break;
  }
  expect(listeners).toBe(0);
  const { stream, end } = startStream(watched);
  await stream.next();
  end();
  await collect(stream);
  expect(listeners).toBe(0);
});

test("many streams at once each see everything", async () => {
  const { store } = await openTemporaryStore();
  const streams = oneTo(100).map(() => startStream(store));
  const collected = streams.map(({ stream }) => collect(stream));
  await Promise.all(oneTo(50).map(async (number) => store.append("one", { events: [custom("a", number)] })));
  for (const { end } of streams) end();
  for (const events of await Promise.all(collected)) expect(events).toHaveLength(50);
});

describe("a query that makes no sense is refused at once", () => {
  test.each<[unknown, string]>([
    [{ since: -1 }, "since must be a whole number of at least 0; received -1"],
    [{ since: Number.NaN }, "received NaN"],
    [{ since: 1.5 }, "received 1.5"],
    [{ since: "1" }, "since must be a whole number"],
    [{ channels: ["progress", "gossip"] }, 'unknown channel "gossip"; expected progress, control, monitor'],
    [{ channels: [undefined] }, "unknown channel undefined"],
    [{ channels: [] }, "channels must be a non-empty list of progress, control, monitor"],
    [{ channels: "progress" }, "channels must be a non-empty list"],
  ])("%j", async (query, message) => {
    const { store } = await openTemporaryStore();
    expect(() => startStream(store, query as EventQuery)).toThrow(message);
  });
});

function startStream(store: Store, query: EventQuery = {}) {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  return {
    stream: streamEvents(store, "one", { ...query, signal: ending.signal }),
    end: () => ending.abort(),
  };
}

async function collect(stream: AsyncIterable<LoggedEvent>): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
