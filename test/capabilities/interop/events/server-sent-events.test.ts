import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { expect, onTestFinished, test } from "vitest";
import { serverSentEvents } from "../../../../src/capabilities/interop/index.ts";
import type { LoggedEvent } from "../../../../src/index.ts";
import { openTestSession } from "../../../support/open-test-session.ts";

const delta = (sequence: number, text: string): LoggedEvent => ({
  sessionId: "s",
  at: "2026-01-01T00:00:00.000Z",
  channel: "progress",
  sequence,
  type: "text-delta",
  runId: "r",
  step: 1,
  text,
});

async function readAll(stream: AsyncIterable<string>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

test("events go over the wire under their names, and the last of one entry has its number", async () => {
  const message: LoggedEvent = {
    ...delta(2, ""),
    type: "assistant-message",
    content: [
      { type: "text", text: "a\nb\u2028c" },
      { type: "text", text: "d" },
    ],
    finishReason: "stop",
  } as LoggedEvent;
  const log = {
    async *events() {
      yield delta(1, "a");
      yield message;
    },
  };
  expect(await readAll(serverSentEvents(log))).toEqual([
    'id: 1\nevent: text_delta\ndata: {"text":"a"}\n\n',
    'event: text\ndata: {"text":"a\\nb\u2028c"}\n\nid: 2\nevent: text\ndata: {"text":"d"}\n\n',
  ]);
});

test("a silence is broken by comments, and nothing is lost after it", async () => {
  const silence = Promise.withResolvers<void>();
  const log = {
    async *events() {
      yield delta(1, "a");
      await silence.promise;
      yield delta(2, "b");
    },
  };
  const stream = serverSentEvents(log, { keepaliveMs: 1 });
  const next = async () => (await stream.next()).value;
  expect(await next()).toContain("id: 1\n");
  expect(await next()).toBe(": keepalive\n\n");
  expect(await next()).toBe(": keepalive\n\n");
  silence.resolve();
  let piece = await next();
  while (piece === ": keepalive\n\n") piece = await next();
  expect(piece).toContain("id: 2\n");
  expect(await stream.next()).toMatchObject({ done: true });
});

test("a browser that goes away ends the stream, though nothing happens in the session", async () => {
  const { session } = await openTestSession();
  let streams = 0;
  const counted = {
    async *events(query: { since: number; signal: AbortSignal }) {
      streams += 1;
      try {
        yield* session.events(query);
      } finally {
        streams -= 1;
        ended.resolve();
      }
    },
  };
  const ended = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    pipeline(serverSentEvents(counted, { keepaliveMs: 5 }), response).catch(() => {});
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
  });
  await once(server, "listening");
  const leaving = new AbortController();
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}`, { signal: leaving.signal });
  const { value } = await response.body!.getReader().read();
  expect(new TextDecoder().decode(value)).toContain(": keepalive\n\n");
  expect(streams).toBe(1);
  leaving.abort();
  await ended.promise;
  expect(streams).toBe(0);
});

test("a reader that leaves in the middle of what there is ends the log, and so does a signal", async () => {
  const openLog = () => {
    const ended = Promise.withResolvers<void>();
    const log = {
      async *events() {
        try {
          for (let sequence = 1; ; sequence += 1) yield delta(sequence, "a");
        } finally {
          ended.resolve();
        }
      },
    };
    return { log, ended: ended.promise };
  };
  const left = openLog();
  for await (const piece of serverSentEvents(left.log)) if (piece.includes("id: 2\n")) break;
  await left.ended;

  const { session } = await openTestSession();
  const ending = new AbortController();
  const stream = serverSentEvents(session, { signal: ending.signal });
  const waiting = stream.next();
  ending.abort();
  expect(await waiting).toMatchObject({ done: true });
});

test("a failure of the log reaches its listener", async () => {
  const log = {
    // biome-ignore lint/correctness/useYield: it fails before there is anything
    async *events(): AsyncGenerator<LoggedEvent> {
      throw new Error("the disk is gone");
    },
  };
  await expect(readAll(serverSentEvents(log))).rejects.toThrow("the disk is gone");
});
