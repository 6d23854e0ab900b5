import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { JSONRPCMessage, RequestId, Server, Transport } from "@modelcontextprotocol/server";
import type { Runtime } from "../../../open-runtime.ts";
import { errorAnswer } from "../../../shared/json-rpc/error-answer.ts";
import { findJsonExcess, requestLimits } from "../../../shared/json-rpc/find-json-excess.ts";
import { createMessageLines } from "../../../shared/json-rpc/message-lines.ts";
import { defined } from "../../../shared/options/defined.ts";
import { announceChanges } from "../announce-changes.ts";
import { createMcpServer } from "../create-mcp-server.ts";
import { loadServerSdk, type ServerSdk } from "../load-server-sdk.ts";
import { createMcpServerParts } from "../mcp-server-parts.ts";

export interface StdioOptions extends StdioStreams {
  readonly version: string;
  /** Resumes this session. Default: a new one for each process. */
  readonly sessionId?: string;
  /** Default: that of the session if it is resumed, and the runtime's otherwise. */
  readonly dialect?: string;
  /** The only tools that the client may use. Default: all of them. */
  readonly tools?: readonly string[];
  /** Stops the server, like the end of its input. */
  readonly signal: AbortSignal;
  /** How long running calls may take once the server stops. */
  readonly graceMs?: number;
  readonly onError?: (error: Error) => void;
}

/** Serves one client until it disconnects; running calls are then finished or cancelled, answered and recorded. */
export async function serveStdio(runtime: Runtime, options: StdioOptions): Promise<void> {
  const { version, sessionId, dialect, tools, signal, graceMs = defaultGraceMs, onError } = options;
  const sdk = await loadServerSdk();
  const stdio = await import("@modelcontextprotocol/server/stdio");
  const session = await runtime.openSession(defined({ id: sessionId, dialect, tools }));
  const parts = createMcpServerParts(runtime, { sdk, session, version, way: { transport: "stdio" } });
  const transport = createServerStdioTransport(options, sdk);
  const createServer = (): Server => {
    const server = createMcpServer(parts);
    announceChanges(runtime, server);
    return server;
  };
  const serving = stdio.serveStdio(createServer, { transport, ...defined({ onerror: onError }) });
  if (!signal.aborted) await Promise.race([transport.ended, once(signal, "abort")]);
  await parts.calls.finish(graceMs);
  await session.close();
  await transport.answered();
  await serving.close();
}

const defaultGraceMs = 2000;

/**
 * MCP over a pair of streams. The SDK's transport drops running calls as soon as the input ends; this one leaves that to
 * `serveStdio`, so that calls can be finished and answered first.
 */
interface ServerStdioTransport extends Transport {
  /** Resolves when the input has ended or the output is closed. */
  readonly ended: Promise<void>;
  /** Resolves when every call has been answered, or after a short wait. */
  answered(): Promise<void>;
}

export interface StdioStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: Pick<NodeJS.WritableStream, "write" | "on">;
}

export function createServerStdioTransport(
  { input, output }: StdioStreams,
  sdk: ServerSdk,
): ServerStdioTransport {
  const ended = Promise.withResolvers<void>();
  const calls = createOpenCalls();
  const end = () => ended.resolve();
  let waitingBytes = 0;

  const write = (text: string): Promise<void> => {
    waitingBytes += text.length;
    // A client that does not read its answers is not read from either, or they would fill the memory.
    if (waitingBytes > maxWaitingBytes) input.pause();
    return new Promise((resolve) => {
      output.write(text, () => {
        waitingBytes -= text.length;
        if (waitingBytes <= maxWaitingBytes) input.resume();
        // A closed output is reported by the stream's own error event.
        resolve();
      });
    });
  };
  const refuse = (
    message: string,
    { id = null, code = invalidRequest }: { id?: RequestId | null; code?: number } = {},
  ) => {
    transport.onerror?.(new Error(message));
    void write(`${JSON.stringify(errorAnswer(message, { id, code }))}\n`);
  };
  /** Answers a line that cannot be read, because the client may wait for an answer to it. */
  const refuseUnreadable = (line: string) => {
    const value = tryParse(line);
    if (value === undefined) return refuse("the message is not valid JSON", { code: parseError });
    refuse("the message is not valid JSON-RPC 2.0: an object, with an id that is a text or a whole number");
  };
  const lines = createMessageLines(maxMessageBytes, {
    onLine(line) {
      if (line.trim() === "") return;
      const excess = findJsonExcess(line, requestLimits);
      if (excess !== undefined) return refuse(`the message cannot be taken: ${excess}`);
      const message = readMessage(line, sdk);
      if (message === undefined) return refuseUnreadable(line);
      if ("id" in message && "method" in message) {
        // An error with that id would be taken for the answer to the first.
        if (calls.has(message.id)) return refuse("a request with this id is open already");
        if (calls.size() >= maxOpenCalls)
          return refuse(`${maxOpenCalls} calls are open already; wait for their answers`, { id: message.id });
      }
      calls.noteIncoming(message);
      try {
        transport.onmessage?.(message);
      } catch (error) {
        transport.onerror?.(error as Error);
      }
    },
    onSkipped: ({ bytes }) => refuse(`the message has ${bytes} bytes; the limit is ${maxMessageBytes}`),
  });
  const read = (chunk: Buffer) => lines.push(chunk);

  const transport: ServerStdioTransport = {
    ended: ended.promise,
    answered: calls.answered,
    async start() {
      for (const event of ["end", "close", "error"]) input.on(event, end);
      output.on("error", end);
      input.on("data", read);
    },
    async send(message) {
      await write(sdk.serializeMessage(message));
      calls.noteOutgoing(message);
    },
    async close() {
      input.off("data", read);
      input.pause();
      transport.onclose?.();
    },
  };
  return transport;
}

const maxMessageBytes = 4 * 1024 * 1024;
const maxWaitingBytes = 16 * 1024 * 1024;
const maxOpenCalls = 1000;
const invalidRequest = -32_600;
const parseError = -32_700;

function readMessage(line: string, sdk: ServerSdk): JSONRPCMessage | undefined {
  try {
    return sdk.parseJSONRPCMessage(tryParse(line));
  } catch {
    return undefined;
  }
}

function tryParse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Calls that have not been answered yet. */
function createOpenCalls() {
  const open = new Set<RequestId>();
  let onEmpty: (() => void) | undefined;
  const settle = (id: unknown) => {
    if (open.delete(id as RequestId) && open.size === 0) onEmpty?.();
  };
  return {
    size: () => open.size,
    has: (id: RequestId) => open.has(id),
    noteIncoming(message: JSONRPCMessage) {
      if (!("method" in message)) return;
      if ("id" in message && message.method === "tools/call") open.add(message.id);
      // A cancelled call gets no answer.
      if (message.method === "notifications/cancelled") settle(message.params?.requestId);
    },
    noteOutgoing(message: JSONRPCMessage) {
      if ("id" in message && !("method" in message)) settle(message.id);
    },
    async answered() {
      if (open.size === 0) return;
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      await Promise.race([empty, wait(maxAnswerMs, undefined, { ref: false })]);
    },
  };
}

const maxAnswerMs = 1000;
