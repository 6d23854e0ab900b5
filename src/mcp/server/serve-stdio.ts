import { PassThrough, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { RequestId, Server, Transport } from "@modelcontextprotocol/server";
import type { Runtime } from "../../open-runtime.ts";
import { announceChanges } from "./announce-changes.ts";
import { createMcpServer } from "./create-mcp-server.ts";
import { loadSdk } from "./load-sdk.ts";
import { createMcpServerParts } from "./mcp-server-parts.ts";

export interface StdioOptions {
  readonly version: string;
  /** Resumes this session; each process has its own otherwise. */
  readonly sessionId?: string;
  /** Ends the serving, as the end of the input does. */
  readonly signal: AbortSignal;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** How long calls may go on once the end has come. */
  readonly graceMs?: number;
  readonly onError?: (error: Error) => void;
}

/** Serves one client over stdin and stdout until either of them ends; calls under way are finished or cancelled, and recorded. */
export async function serveStdio(runtime: Runtime, options: StdioOptions): Promise<void> {
  const { version, sessionId, graceMs = defaultGraceMs, onError } = options;
  const sdk = await loadSdk();
  const stdio = await import("@modelcontextprotocol/server/stdio");
  const session = await runtime.openSession(sessionId === undefined ? {} : { id: sessionId });
  const parts = createMcpServerParts(runtime, { sdk, session, version, way: { transport: "stdio" } });

  const input = new PassThrough();
  const transport = new stdio.StdioServerTransport(input, withoutEnd(options.output));
  const answers = trackAnswers(transport);
  const createServer = (): Server => {
    const server = createMcpServer(parts, { onCall: answers.expect });
    announceChanges(runtime, server);
    return server;
  };
  const serving = stdio.serveStdio(createServer, { transport, ...(onError && { onerror: onError }) });
  await untilEnd(options, input);
  await parts.calls.finish(graceMs);
  await session.close();
  await answers.given();
  await serving.close();
}

const defaultGraceMs = 2000;

/** The SDK drops what it is doing when its input ends, so the end is kept from it until the calls have been answered. */
async function untilEnd({ input, output, signal }: StdioOptions, passed: PassThrough): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const end = () => ended.resolve();
  for (const event of ["end", "close", "error"]) input.on(event, end);
  output.on("error", end);
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  input.pipe(passed, { end: false });
  await ended.promise;
  input.unpipe(passed);
  signal.removeEventListener("abort", end);
}

/** What is written goes on; that it ends is for the process to decide. */
function withoutEnd(output: NodeJS.WritableStream): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      output.write(chunk, (error) => done(error ?? null));
    },
  });
}

interface Answers {
  expect(id: RequestId, signal: AbortSignal): void;
  /** Resolves when every expected answer has been written. */
  given(): Promise<void>;
}

function trackAnswers(transport: Transport): Answers {
  const expected = new Set<RequestId>();
  let onEmpty: (() => void) | undefined;
  const settle = (id: RequestId | undefined) => {
    if (id !== undefined && expected.delete(id) && expected.size === 0) onEmpty?.();
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    try {
      await send(message, options);
    } finally {
      if ("id" in message && !("method" in message)) settle(message.id);
    }
  };
  return {
    expect(id, signal) {
      expected.add(id);
      // Nobody answers what was cancelled.
      signal.addEventListener("abort", () => settle(id), { once: true });
    },
    async given() {
      if (expected.size === 0) return;
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      await Promise.race([empty, wait(maxWriteMs, undefined, { ref: false })]);
    },
  };
}

const maxWriteMs = 1000;
