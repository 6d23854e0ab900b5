import { request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

export const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

interface Sending {
  readonly path?: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly isChunked?: boolean;
}

/** A request as nobody's library would send it. `PORT` in a header stands for the server's. */
export function send(
  { port, token }: { port: number; token: string },
  {
    path = "/mcp",
    method = "POST",
    body = JSON.stringify(initialize),
    headers = {},
    isChunked = false,
  }: Sending = {},
): Promise<{ status: number | undefined; body: string; sessionId: string | undefined }> {
  const all = {
    host: `localhost:${port}`,
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...headers,
  };
  const given = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value.replace("PORT", String(port))]],
  );
  return new Promise((resolve, reject) => {
    const length = isChunked || method === "GET" ? {} : { "content-length": Buffer.byteLength(body) };
    const options = { port, host: "127.0.0.1", path, method, agent: false as const };
    const request = httpRequest({ ...options, headers: { ...Object.fromEntries(given), ...length } });
    request.on("response", async (response: IncomingMessage) => {
      const sessionId = response.headers["mcp-session-id"];
      resolve({
        status: response.statusCode,
        body: await text(response),
        sessionId: typeof sessionId === "string" ? sessionId : undefined,
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

export const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join()}}`;

/** Bodies that cost too much to be read. */
export const giantBodies: readonly (readonly [what: string, body: string])[] = [
  ["brackets alone", "[".repeat(10_000)],
  ["nested lists", `${"[".repeat(5000)}${"]".repeat(5000)}`],
  [
    "nested arguments",
    `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"echo","arguments":${nested(100_000)}}}`,
  ],
  [
    "300,000 arguments",
    `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"echo","arguments":${keys(300_000)}}}`,
  ],
  [
    "300,000 keys of _meta",
    `{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":${keys(300_000)}}}`,
  ],
  [
    "a batch of 5,000",
    JSON.stringify(Array.from({ length: 5000 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }))),
  ],
];
