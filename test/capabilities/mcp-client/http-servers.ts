import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

type Answer = (
  message: Message,
  outgoing: ServerResponse,
) => object | undefined | Promise<object | undefined>;

/** A server at a free port that answers every request by hand, gone when the test ends. */
export async function listen(
  handle: (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>,
): Promise<string> {
  const http = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

/** One tool over streamable HTTP; `answer` decides how its calls are answered. */
export function listenStreamable(answer: Answer): Promise<string> {
  return listen(async (incoming, outgoing) => {
    if (incoming.method !== "POST") return void outgoing.writeHead(405).end();
    const message = JSON.parse(await text(incoming)) as Message;
    if (message.id === undefined) return void outgoing.writeHead(202).end();
    const result = basicAnswer(message) ?? (await answer(message, outgoing));
    if (result === undefined) return;
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...result }));
  });
}

/** The same over the older transport of two channels, which is all that it knows. */
export function listenSse(answer: Answer): Promise<string> {
  let stream: ServerResponse | undefined;
  return listen(async (incoming, outgoing) => {
    if (incoming.method === "GET") {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.write("event: endpoint\ndata: /messages\n\n");
      stream = outgoing;
      return;
    }
    if (incoming.url !== "/messages") return void outgoing.writeHead(404).end();
    const message = JSON.parse(await text(incoming)) as Message;
    outgoing.writeHead(202).end();
    if (message.id === undefined) return;
    const result = basicAnswer(message) ?? (await answer(message, outgoing));
    stream?.write(
      `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: message.id, ...result })}\n\n`,
    );
  });
}

export function said(words: string) {
  return { result: { content: [{ type: "text", text: words }] } };
}

export function basicAnswer({ method }: Message): object | undefined {
  switch (method) {
    case "initialize":
      return { result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo } };
    case "tools/list":
      return { result: { tools: [{ name: "ask", description: "Asks", inputSchema: { type: "object" } }] } };
    case "tools/call":
      return undefined;
    default:
      return { error: { code: -32601, message: "unknown method" } };
  }
}

const serverInfo = { name: "by hand", version: "1" };
