import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";

/**
 * Limits the requests that a server sends us, over any transport. We have to answer each of them, over HTTP by a request
 * to the server; a server that asks without end, or takes no answers, is disconnected. Returns a function that gives the
 * reason, once the server was disconnected.
 */
export function limitRequests(transport: Transport): () => ServerExcess | undefined {
  const open = new Set<RequestId>();
  const inSecond = createRate();
  let excess: ServerExcess | undefined;
  let deliver: Transport["onmessage"];

  const findExcess = (message: JSONRPCMessage): string | undefined => {
    if (!("method" in message)) return undefined;
    if (!("id" in message)) {
      // A request that was cancelled gets no answer.
      if (message.method === "notifications/cancelled") open.delete(message.params?.requestId as RequestId);
      return undefined;
    }
    if (inSecond() > maxPerSecond) return `it sent more than ${maxPerSecond} requests in a second`;
    open.add(message.id);
    return open.size > maxOpen
      ? `it has more than ${maxOpen} requests open at once, or does not take their answers`
      : undefined;
  };
  Object.defineProperty(transport, "onmessage", {
    get: () => deliver && take,
    set: (handler: Transport["onmessage"]) => {
      deliver = handler;
    },
  });
  const take: NonNullable<Transport["onmessage"]> = (message, extra) => {
    // A closed transport still delivers the messages that have arrived by now.
    if (excess !== undefined) return;
    const why = findExcess(message);
    if (why === undefined) return deliver?.(message, extra);
    excess = new ServerExcess(why);
    transport.onerror?.(excess);
    transport.close().catch(() => {});
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    // Answers to a server that was disconnected would only be kept in memory.
    if (excess !== undefined) throw excess;
    try {
      await send(message, options);
    } finally {
      if (!("method" in message) && message.id !== undefined) open.delete(message.id);
    }
  };
  return () => excess;
}

/** Limit of requests of the server that are not answered yet, or whose answers it has not taken. */
const maxOpen = 100;
const maxPerSecond = 200;

/** The server sent more requests than it may. It would do so again, so the client does not reconnect by itself. */
export class ServerExcess extends Error {
  override readonly name = "ServerExcess";
}

/** Counts calls since the second began. */
function createRate(): () => number {
  let startMs = 0;
  let count = 0;
  return () => {
    const nowMs = performance.now();
    if (nowMs - startMs >= 1000) {
      startMs = nowMs;
      count = 0;
    }
    return ++count;
  };
}
