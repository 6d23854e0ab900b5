import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { serveStdio } from "../../../src/mcp/server/stdio/serve-stdio.ts";
import { fuzzRuns, seededRandom } from "../../support/fuzz.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { createMessageMaker } from "./hostile-messages.ts";

async function serveApart() {
  const program = fileURLToPath(new URL("fixtures/served.ts", import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "pipe"] });
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-4000);
  });
  onTestFinished(async () => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, "exit");
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const { port, token } = JSON.parse(line.toString()) as { port: number; token: string };
  return { port, token, child, complaints: () => complaints };
}

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

test("whatever is sent to the server over HTTP, it goes on answering", async () => {
  const server = await serveApart();
  const { port, child } = server;
  const next = createRequestMaker(seededRandom(), server);
  const total = fuzzRuns({ sample: 240, full: 100_000 });
  for (let sent = 0; sent < total; sent += 40) {
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        const { bytes, leavesAtOnce } = next();
        await exchange(port, bytes, { leavesAtOnce });
      }),
    );
    const health = await fetch(`http://127.0.0.1:${port}/health`).catch((error: Error) => error);
    expect(health, server.complaints()).toMatchObject({ status: 200 });
  }
  expect(child.exitCode).toBeNull();
}, 3_600_000);

test("whatever is sent to the server over stdio, it goes on answering", async () => {
  const { runtime } = await openTestSession({ permissions: { mode: "readonly" } });
  const [input, output] = [new PassThrough(), new PassThrough()];
  let said = "";
  output.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-100_000);
  });
  const stop = new AbortController();
  const serving = serveStdio(runtime, { version: "1", input, output, signal: stop.signal, graceMs: 50 });
  const say = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "fuzzer", version: "1" };
  say({
    id: "start",
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
  });
  say({ method: "notifications/initialized" });
  const next = createMessageMaker(seededRandom());
  const total = fuzzRuns({ sample: 200, full: 20_000 });
  for (let sent = 0; sent < total; sent += 20) {
    for (let index = 0; index < 20; index += 1) input.write(`${next().replaceAll("\n", " ")}\n`);
    say({ id: `alive ${sent}`, method: "ping" });
    await expect.poll(() => said, { timeout: 20_000 }).toContain(`"id":"alive ${sent}"`);
  }
  stop.abort();
  await serving;
}, 600_000);
