import { connect, type Socket } from "node:net";
import { expect } from "vitest";
import { createMessageMaker } from "./hostile-messages.ts";

/** Sends as many made-up requests as that to a server, which has to be well in between. */
export async function sendHostileRequests(
  { port, token, complaints = () => "" }: { port: number; token: string; complaints?: () => string },
  { random, total }: { random: () => number; total: number },
): Promise<void> {
  const next = createRequestMaker(random, { port, token });
  for (let sent = 0; sent < total; sent += atOnce) {
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        const { bytes, leavesAtOnce } = next();
        await exchange(port, bytes, { leavesAtOnce });
      }),
    );
    const health = await fetch(`http://127.0.0.1:${port}/health`).catch((error: Error) => error);
    expect(health, complaints()).toMatchObject({ status: 200 });
  }
}

const atOnce = 40;

/** Sends the bytes and waits until the server has said something, closed the connection, or was silent for a moment. */
function exchange(
  port: number,
  bytes: readonly (string | Buffer)[],
  { leavesAtOnce = false } = {},
): Promise<void> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, "127.0.0.1", () => {
      for (const each of bytes) socket.write(each);
      if (leavesAtOnce) socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve());
    socket.on("data", () => socket.destroy());
    socket.setTimeout(200, () => socket.destroy());
  });
}

function createRequestMaker(random: () => number, { port, token }: { port: number; token: string }) {
  const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const message = createMessageMaker(random);
  return (): { bytes: Buffer[]; leavesAtOnce: boolean } => {
    const body = Buffer.from(message());
    const target = oneOf([
      "/mcp",
      "/mcp",
      "/mcp",
      "/mcp",
      "/health",
      "/",
      "//",
      "http://[",
      "*",
      "/mcp?%",
      "\\",
      "/%ff",
      `/${"a".repeat(3000)}`,
    ]);
    const method = oneOf([
      "POST",
      "POST",
      "POST",
      "POST",
      "GET",
      "DELETE",
      "OPTIONS",
      "CONNECT",
      "TRACE",
      "post",
      "P\u0000",
    ]);
    const headers = [
      random() < 0.95 ? `Host: 127.0.0.1:${port}` : "Host: evil.example",
      random() < 0.95 ? `Authorization: Bearer ${token}` : "Authorization: Bearer x",
      random() < 0.95 ? "Content-Type: application/json" : "Content-Type: text/plain",
      "Accept: application/json, text/event-stream",
      oneOf([
        `Content-Length: ${body.length}`,
        `Content-Length: ${body.length}`,
        `Content-Length: ${body.length}`,
        "Content-Length: -1",
        "Content-Length: 99999999",
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: gzip",
      ]),
      ...(random() < 0.3
        ? [
            oneOf([
              "MCP-Protocol-Version: 2026-07-28",
              "MCP-Protocol-Version: x",
              "Mcp-Session-Id: x",
              "Mcp-Method: ping",
              "Expect: 100-continue",
              "Upgrade: websocket",
              "Connection: upgrade",
              "Origin: null",
              `X: ${"y".repeat(20_000)}`,
              "bad header",
              "Host: twice",
            ]),
          ]
        : []),
    ];
    const head = `${method} ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`;
    const cut = random() < 0.1 ? Math.floor(random() * body.length) : body.length;
    return { bytes: [Buffer.from(head, "latin1"), body.subarray(0, cut)], leavesAtOnce: random() < 0.05 };
  };
}
