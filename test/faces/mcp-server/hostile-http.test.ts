import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { allowedAddresses } from "../../../src/faces/mcp-server/http/http-gate.ts";
import { noSandbox } from "../../support/no-sandbox.ts";
import { giantBodies, initialize, nested, send } from "./raw-request.ts";
import { serveForTest } from "./serve-for-test.ts";

test("a request that is as it should be is answered, so that what follows proves something", async () => {
  const server = await serveForTest();
  expect(await send(server)).toMatchObject({ status: 200 });
});

test.each([
  ["no token", { authorization: undefined }, 401],
  ["an empty token", { authorization: "Bearer " }, 401],
  ["a wrong token", { authorization: `Bearer tw_${"A".repeat(43)}` }, 401],
  ["another scheme", { authorization: "Basic dHc6dHc=" }, 401],
  ["a foreign name in Host", { host: "evil.example" }, 403],
  ["a rebound name in Host", { host: "127.0.0.1.evil.example:PORT" }, 403],
  ["the right name with another port", { host: "localhost:1" }, 403],
  ["user info before the name", { host: "localhost:PORT@evil.example" }, 403],
  ["a foreign Origin", { origin: "https://evil.example" }, 403],
  ["an opaque Origin", { origin: "null" }, 403],
  ["an Origin on another port of this machine", { origin: "http://localhost:3000" }, 403],
  ["an encrypted Origin of the same name", { origin: "https://localhost:PORT" }, 403],
  ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
  ["plain text", { "content-type": "text/plain" }, 415],
  ["no content type", { "content-type": undefined }, 415],
  ["a compressed body", { "content-encoding": "gzip" }, 415],
] as const)("a request with %s is refused", async (_what, headers, status) => {
  const server = await serveForTest();
  const answer = await send(server, { headers });
  expect(answer.status).toBe(status);
  expect(answer.body).not.toContain(server.token);
  expect(await server.runtime.sessions()).toEqual([]);
});

test("a client that is refused is told how to get in", async () => {
  const server = await serveForTest();
  const told = async (headers: Record<string, string | undefined>) => (await send(server, { headers })).body;
  expect(await told({ authorization: undefined })).toContain("a bearer token is required");
  expect(await told({ authorization: `Bearer tw_${"A".repeat(43)}` })).toContain("unknown bearer token");
  expect(await told({ host: "tools.example" })).toContain("--allow-host");
});

test.each(["localhost:PORT", "127.0.0.1:PORT", "LOCALHOST:PORT", "[::1]:PORT"])(
  "a request for the Host %s is accepted",
  async (host) => {
    const server = await serveForTest();
    expect((await send(server, { headers: { host } })).status).toBe(200);
    expect((await send(server, { headers: { host, origin: `http://${host}` } })).status).toBe(200);
  },
);

test("Host and Origin are looked at before the token and the path", async () => {
  const server = await serveForTest();
  for (const path of ["/mcp", "/health", "/nowhere"]) {
    const headers = { host: "evil.example", authorization: undefined };
    expect((await send(server, { path, headers })).status).toBe(403);
  }
});

test("a host name that was allowed is accepted, with its port", async () => {
  const server = await serveForTest({ http: { allowedHosts: ["tools.example:8443"] } });
  expect((await send(server, { headers: { host: "tools.example:8443" } })).status).toBe(200);
  expect((await send(server, { headers: { host: "tools.example" } })).status).toBe(403);
});

test.each([
  ["10.0.0.5", 4747, "10.0.0.5:4747"],
  ["::1", 4747, "[::1]:4747"],
  ["Tools.Example", 80, "tools.example"],
])("a server that listens on %s, port %i, answers to %s", (host, port, name) => {
  const { hosts, origins } = allowedAddresses({ host, port }, []);
  expect(hosts).toContain(name);
  expect(origins).toContain(`http://${name}`);
});

test("a server that listens on all addresses answers to none but this machine's own names", () => {
  for (const host of ["0.0.0.0", "::"]) {
    const { hosts } = allowedAddresses({ host, port: 4747 }, []);
    expect([...hosts]).toEqual(["127.0.0.1:4747", "localhost:4747", "[::1]:4747"]);
  }
});

test.each(["0.0.0.0", "127.0.0.1", "localhost"])(
  "a server that listens on %s prints an address that it answers to",
  async (host) => {
    const server = await serveForTest({ http: { host } });
    const health = await fetch(new URL("/health", server.url));
    expect(health.status).toBe(200);
  },
);

test.each([
  ["nothing", ""],
  ["garbage", "{{{{"],
  ["half a message", '{"jsonrpc":"2.0","id":1,'],
  ["bytes that are no text", "\u0000\u0001\ud800"],
])("a body that is %s is a parse error", async (_what, body) => {
  const server = await serveForTest();
  expect(await send(server, { body })).toMatchObject({
    status: 400,
    body: expect.stringContaining("-32700"),
  });
});

test.each([
  ["a number", 7],
  ["null", null],
  ["an empty list", []],
  ["no version", { id: 1, method: "tools/list" }],
  ["a list of nonsense", [1, 2, 3]],
  ["a method that is none", { jsonrpc: "2.0", id: 1, method: { evil: true } }],
  [
    "prototype keys",
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { __proto__: 1, constructor: 1 } },
  ],
])("a body that is %s is refused, and the server goes on", async (_what, message) => {
  const server = await serveForTest();
  const { status } = await send(server, { body: JSON.stringify(message) });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect((await send(server)).status).toBe(200);
});

test.each(giantBodies)(
  "a body of %s is refused before anything reads it, and the server goes on",
  async (_what, body) => {
    const server = await serveForTest();
    expect((await send(server, { body })).status).toBe(413);
    expect((await send(server)).status).toBe(200);
    expect(server.errors).toEqual([]);
  },
);

test("arguments that are nested deeper than any tool takes give a failed result that says so", async () => {
  const server = await serveForTest();
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = `{"name":"echo","arguments":{"text":${nested(110)}},"_meta":${JSON.stringify(meta)}}`;
  const body = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":${params}}`;
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "echo" };
  const answer = await send(server, { body, headers });
  expect(JSON.parse(answer.body)).toMatchObject({
    result: { isError: true, _meta: { "toolwright/error": { code: "invalid-input" } } },
  });
});

test("a thousand silent connections do not shut out other clients", async () => {
  const server = await serveForTest();
  const sockets = Array.from({ length: 1000 }, (_, index) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {}).resume();
    if (index % 2 === 0) socket.write("POST /mcp HTTP/1.1\r\nHost: loc");
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, "connect").catch(() => {})));
  expect((await send(server)).status).toBe(200);
  await expect.poll(() => sockets.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(500);
});

test("a client with too many requests open is refused more, and others are served", async () => {
  const server = await serveForTest();
  const head =
    `POST /mcp HTTP/1.1\r\nHost: localhost:${server.port}\r\nAuthorization: Bearer ${server.token}\r\n` +
    "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n";
  const sockets = Array.from({ length: 200 }, () => connect(server.port, "127.0.0.1"));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) socket.on("error", () => {}).write(head);
  await expect.poll(async () => (await send(server)).status).toBe(429);
  const other = await server.tokens.ensure("other");
  expect((await send(server, { headers: { authorization: `Bearer ${other}` } })).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await send(server)).status).toBe(200);
});

test.each([false, true])("ten megabytes are refused, announced or not: %s", async (isChunked) => {
  const server = await serveForTest();
  const body = JSON.stringify({ ...initialize, padding: "x".repeat(10_000_000) });
  expect(await send(server, { body, isChunked })).toMatchObject({ status: 413 });
  expect((await send(server)).status).toBe(200);
});

test("a body without end is cut off", async () => {
  const server = await serveForTest({ http: { maxBodyBytes: 10_000 } });
  const socket = connect(server.port, "127.0.0.1");
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  socket.on("error", () => {});
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost:${server.port}\r\nAuthorization: Bearer ${server.token}\r\n` +
      "Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n",
  );
  const pour = () => {
    while (!socket.destroyed && socket.write("x".repeat(10_000)));
  };
  socket.on("drain", pour);
  pour();
  socket.resume();
  await closed;
  // Some of it is still in the buffers of both sides.
  expect(socket.bytesWritten).toBeLessThan(50_000_000);
  expect((await send(server)).status).toBe(200);
});

test("a body that comes byte by byte is cut off, and is nothing to hold in memory", async () => {
  const server = await serveForTest();
  const socket = connect(server.port, "127.0.0.1");
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  socket.on("error", () => {});
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost:${server.port}\r\nAuthorization: Bearer ${server.token}\r\n` +
      "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
  );
  const pour = () => {
    while (!socket.destroyed && socket.write("1\r\n \r\n".repeat(1000)));
  };
  socket.on("drain", pour);
  pour();
  socket.resume();
  await closed;
  expect(socket.bytesWritten).toBeLessThan(10_000_000);
  expect((await send(server)).status).toBe(200);
});

test("a client that never finishes its headers is let go, and others are served meanwhile", async () => {
  // Long enough for the one that finishes its own, also where this process gets little time.
  const server = await serveForTest({ http: { headersTimeoutMs: 2000 } });
  const sockets = Array.from({ length: 50 }, () => connect(server.port, "127.0.0.1"));
  const gone = sockets.map(async (socket) => {
    socket.on("error", () => {});
    socket.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\n");
    const drip = setInterval(() => socket.write("X-More: 1\r\n"), 50);
    await new Promise<void>((resolve) => socket.on("close", () => resolve()));
    clearInterval(drip);
  });
  for (const socket of sockets) socket.resume();
  expect((await send(server)).status).toBe(200);
  await Promise.all(gone);
});

test.each(["GET", "DELETE", "PUT", "OPTIONS", "PATCH"])("%s without a session is refused", async (method) => {
  const server = await serveForTest();
  const { status } = await send(server, { method, body: "" });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
});

test.each([
  "/",
  "/mcp/",
  "/mcp/../mcp",
  "//mcp",
  "/.well-known/oauth-protected-resource",
  "http://evil.example/mcp",
])("a path other than /mcp is not found: %s", async (path) => {
  const server = await serveForTest();
  expect((await send(server, { path })).status).toBe(404);
});

test("/health answers without a token, with the status alone", async () => {
  const server = await serveForTest();
  const answer = await send(server, {
    path: "/health",
    method: "GET",
    body: "",
    headers: { authorization: undefined },
  });
  const status = noSandbox === undefined ? "ok" : "degraded";
  expect(answer).toEqual({ status: 200, body: JSON.stringify({ status }), sessionId: undefined });
});

test("a legacy connection belongs to the token that opened it", async () => {
  const server = await serveForTest();
  const { sessionId } = await send(server);
  expect(sessionId).toBeDefined();
  const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  const headers = { "mcp-session-id": sessionId, "mcp-protocol-version": "2025-11-25" };
  expect((await send(server, { body: list, headers })).status).toBe(200);
  const other = await server.tokens.ensure("other");
  const asOther = { ...headers, authorization: `Bearer ${other}` };
  expect((await send(server, { body: list, headers: asOther })).status).toBe(404);
  expect((await send(server, { method: "DELETE", body: "", headers: asOther })).status).toBe(404);
  expect((await send(server, { body: list, headers })).status).toBe(200);
});

test("unused connections make room for new ones", async () => {
  const server = await serveForTest({ http: { maxLegacyConnections: 10 } });
  const first = await send(server);
  for (let count = 0; count < 10; count++) expect((await send(server)).status).toBe(200);
  const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  const headers = { "mcp-session-id": first.sessionId, "mcp-protocol-version": "2025-11-25" };
  expect((await send(server, { body: list, headers })).status).toBe(404);
});

test("many handshakes do not end a connection that is used", async () => {
  const server = await serveForTest({ http: { maxLegacyConnections: 10 } });
  const { sessionId } = await send(server);
  const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  const headers = { "mcp-session-id": sessionId, "mcp-protocol-version": "2025-11-25" };
  expect((await send(server, { body: list, headers })).status).toBe(200);
  for (let count = 0; count < 30; count++) expect((await send(server)).status).toBe(200);
  expect((await send(server, { body: list, headers })).status).toBe(200);
});
