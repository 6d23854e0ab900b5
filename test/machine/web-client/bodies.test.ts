import type { Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { leadTo, serveBytes, serveWeb } from "../../support/web/test-web.ts";
import { openPage } from "./open-page.ts";

const limit = 100_000;

async function openEncoded(
  encoding: string,
  body: Uint8Array,
  options: { onOverflow?: "cut" | "refuse" } = {},
) {
  const { port } = await serveWeb((_request, response) => {
    response.writeHead(200, { "content-encoding": encoding }).end(body);
  });
  return openPage("http://example.com/", { ...leadTo({ http: port }), maxBytes: limit, ...options });
}

async function openBytes(text: string, { keepOpen = false } = {}) {
  const { port } = await serveBytes((socket) => {
    socket.write(text);
    if (!keepOpen) socket.end();
  });
  return openPage("http://example.com/", { ...leadTo({ http: port }), maxBytes: limit });
}

const head = "HTTP/1.1 200 OK\r\n";

test.each([
  ["gzip", gzipSync("hello")],
  ["x-gzip", gzipSync("hello")],
  ["deflate", deflateSync("hello")],
  ["br", brotliCompressSync("hello")],
  ["identity", Buffer.from("hello")],
])("a body compressed as %s is read", async (encoding, body) => {
  expect(await openEncoded(encoding, body)).toMatchObject({ text: "hello", isCut: false });
});

test.each([
  ["gzip", gzipSync(Buffer.alloc(50_000_000))],
  ["br", brotliCompressSync(Buffer.alloc(50_000_000))],
])("a small %s body that unpacks to 50 MB ends at the limit", async (encoding, bomb) => {
  expect(bomb.length).toBeLessThan(limit);
  const { bytes, isCut } = await openEncoded(encoding, bomb);
  expect({ length: bytes.length, isCut }).toEqual({ length: limit, isCut: true });
  await expect(openEncoded(encoding, bomb, { onOverflow: "refuse" })).rejects.toMatchObject({
    code: "too-large",
  });
});

test("a body of exactly the limit is whole, one byte more is cut or refused", async () => {
  expect(await openEncoded("identity", Buffer.alloc(limit))).toMatchObject({ isCut: false });
  expect(await openEncoded("identity", Buffer.alloc(limit + 1))).toMatchObject({ isCut: true });
  const refused = openEncoded("identity", Buffer.alloc(limit + 1), { onOverflow: "refuse" });
  await expect(refused).rejects.toMatchObject({ code: "too-large" });
});

test("a compressed stream that goes on after its end does not go past the limit", async () => {
  const { port } = await serveWeb((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    response.write(gzipSync("hello"));
    const more = () => {
      while (response.write(Buffer.alloc(65_536))) if (response.destroyed) return;
      response.once("drain", more);
    };
    more();
  });
  const endless = openPage("http://example.com/", { ...leadTo({ http: port }), maxBytes: limit });
  await expect(
    endless.then(
      ({ text }) => text,
      (error: { code: string }) => error.code,
    ),
  ).resolves.toMatch(/^(hello|too-large)$/);
});

test.each([
  ["gzip, gzip", gzipSync(gzipSync("hello")), "unsupported"],
  ["compress", Buffer.from("hello"), "unsupported"],
  ["__proto__", Buffer.from("hello"), "unsupported"],
  ["gzip", Buffer.from("not gzip"), "unavailable"],
  ["gzip", gzipSync("hello".repeat(1000)).subarray(0, 20), "unavailable"],
  ["br", Buffer.from("not brotli at all"), "unavailable"],
])("a body that says %s and is not readable as such is an error", async (encoding, body, code) => {
  await expect(openEncoded(encoding, body)).rejects.toMatchObject({ code });
});

test.each([
  ["a chunk's size that is no number", `${head}transfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`],
  ["a chunk shorter than it says", `${head}transfer-encoding: chunked\r\n\r\nff\r\nhello\r\n`],
  ["a chunk longer than it says", `${head}transfer-encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n`],
  ["chunks without an end", `${head}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`],
  ["a body shorter than its length", `${head}content-length: 50\r\n\r\nhello`],
  [
    "a length and chunks",
    `${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  ],
  ["two lengths", `${head}content-length: 5\r\ncontent-length: 6\r\n\r\nhello!`],
  ["a negative length", `${head}content-length: -1\r\n\r\nhello`],
  ["a header that never ends", `${head}x: ${"a".repeat(100_000)}\r\n\r\n`],
  ["no HTTP", "SSH-2.0-OpenSSH_9.2\r\n"],
  ["nothing", ""],
  ["interim responses without end", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1000)],
  ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
])("a response with %s is an error", async (_name, bytes) => {
  await expect(openBytes(bytes)).rejects.toMatchObject({ code: "unavailable" });
});

test("bytes after a complete response are not read", async () => {
  const page = await openBytes(`${head}content-length: 5\r\n\r\nhello${head}content-length: 4\r\n\r\nevil`, {
    keepOpen: true,
  });
  expect(page.text).toBe("hello");
});

test("of very many headers, the first are kept", async () => {
  const headers = Array.from({ length: 900 }, (_, index) => `x-${index}: 1\r\n`).join("");
  const page = await openBytes(`${head}${headers}content-length: 5\r\n\r\nhello`).catch(() => undefined);
  expect(Object.keys(page?.headers ?? {}).length).toBeLessThan(300);
});

/** Answers as far as it says, then keeps the connection open; counts those that the client has closed. */
async function serveStalling(write: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const { port } = await serveBytes((socket) => {
    sockets.push(socket);
    write(socket);
  });
  return { port, sockets };
}

test.each([
  ["the head", ""],
  ["the rest of the head", "HTTP/1.1 200 OK\r\ncontent-"],
  ["the body", `${head}content-length: 50\r\n\r\n`],
  ["the rest of the body", `${head}content-length: 50\r\n\r\nhello`],
  ["the next chunk", `${head}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`],
  ["more compressed bytes", `${head}content-encoding: gzip\r\ncontent-length: 50\r\n\r\n`],
])("one deadline ends a request that waits for %s, and closes its connection", async (_name, bytes) => {
  const { port, sockets } = await serveStalling((socket) => socket.write(bytes));
  const controller = new AbortController();
  const late = new Error("too late");
  const page = openPage("http://example.com/", { ...leadTo({ http: port }), signal: controller.signal });
  const failure = expect(page).rejects.toBe(late);
  await expect.poll(() => sockets.length, { interval: 5 }).toBe(1);
  const closed = new Promise((resolve) => sockets[0]?.once("close", resolve));
  controller.abort(late);
  await failure;
  await closed;
});

test("the deadline also ends a lookup, a connection and a TLS handshake without an answer", async () => {
  const { port, sockets } = await serveStalling(() => {});
  const attempt = async (url: string, options: object) => {
    const controller = new AbortController();
    const late = new Error("too late");
    const failure = expect(openPage(url, { ...options, signal: controller.signal })).rejects.toBe(late);
    controller.abort(late);
    await failure;
  };
  await attempt("http://example.com/", { lookup: () => new Promise(() => {}) });
  await attempt("http://example.com/", leadTo({ http: port }));
  const controller = new AbortController();
  const late = new Error("too late");
  const shaking = openPage("https://example.com/", { ...leadTo({ https: port }), signal: controller.signal });
  const failure = expect(shaking).rejects.toBe(late);
  await expect.poll(() => sockets.length, { interval: 5 }).toBe(1);
  controller.abort(late);
  await failure;
});
