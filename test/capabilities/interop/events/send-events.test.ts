import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { sendServerSentEvents } from "../../../../src/capabilities/interop/index.ts";
import type { LoggedEvent } from "../../../../src/index.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { echo } from "../../../support/sample-tools.ts";
import { until } from "../../../support/until.ts";

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Reads the stream until so many events have come, then leaves; returns the ids and the text. */
async function readEvents(port: number, count: number, lastEventId?: string) {
  const leaving = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}`, {
    signal: leaving.signal,
    headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true });
    if ((text.match(/^event: /gm)?.length ?? 0) >= count) break;
  }
  leaving.abort();
  return { text, ids: [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)) };
}

test("a client that reconnects gets what it has missed and nothing twice; the number of another session gets it all", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  const port = await listen((request, response) => void sendServerSentEvents(session, request, response));
  const say = (text: string) => session.call("echo", { text });
  await say("one");
  const first = await readEvents(port, 1);
  expect(first.text).toContain('"output":"one"');
  await say("two");
  const second = await readEvents(port, 1, String(first.ids.at(-1)));
  expect(second.text).toContain('"output":"two"');
  expect(second.text).not.toContain('"output":"one"');
  for (const foreign of ["999999", "-1", "1.5", "x"])
    expect((await readEvents(port, 2, foreign)).text).toContain('"output":"one"');
});

test("the response ends when the session closes", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  const port = await listen((request, response) => void sendServerSentEvents(session, request, response));
  const response = await fetch(`http://127.0.0.1:${port}`);
  await session.call("echo", { text: "last words" });
  await session.close();
  expect(await response.text()).toContain("last words");
});

/** A log without end, of large events, that counts who reads and how much. */
function createFlood() {
  const state = { readers: 0, given: 0 };
  const event = (sequence: number): LoggedEvent => ({
    ...{ sessionId: "s", at: "2026-01-01T00:00:00.000Z", channel: "progress", sequence },
    ...{ type: "text-delta", runId: "r", step: 1, text: "x".repeat(100_000) },
  });
  return {
    state,
    bookmark: async () => 0,
    async *events() {
      state.readers += 1;
      try {
        for (;;) yield event(++state.given);
      } finally {
        state.readers -= 1;
      }
    },
  };
}

/** A client that sends its request and takes nothing of the answer. */
async function connectWithoutReading(port: number) {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  return socket;
}

test("a slow client is waited for: nothing piles up for it, and it gets all of it in the end", async () => {
  const flood = createFlood();
  const port = await listen((request, response) => void sendServerSentEvents(flood, request, response));
  const socket = await connectWithoutReading(port);
  let before = -1;
  // What fits into the buffers of both ends, and then no more.
  await until(() => {
    const isStill = flood.state.given > 0 && flood.state.given === before;
    before = flood.state.given;
    return isStill;
  });
  expect(before).toBeLessThan(200);
  socket.resume();
  await until(() => flood.state.given > before + 50);
  socket.destroy();
  await until(() => flood.state.readers === 0);
});

test("a client that takes nothing for too long is disconnected, and leaves nothing behind", async () => {
  const flood = createFlood();
  const ended = Promise.withResolvers<void>();
  const port = await listen((request, response) => {
    sendServerSentEvents(flood, request, response, { stallMs: 20 }).then(ended.resolve);
  });
  const socket = await connectWithoutReading(port);
  await ended.promise;
  expect(flood.state.readers).toBe(0);
  socket.resume();
  socket.on("error", () => {});
  if (!socket.closed) await once(socket, "close");
});

test("a client that leaves while nothing happens ends the stream at once", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  const ended = Promise.withResolvers<void>();
  const port = await listen((request, response) => {
    sendServerSentEvents(session, request, response).then(ended.resolve);
  });
  await session.call("echo", { text: "one" });
  await readEvents(port, 1);
  await ended.promise;
});
