import { setTimeout as wait } from "node:timers/promises";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import type { ServerSdk } from "../load-server-sdk.ts";

/**
 * MCP over a pair of streams. The SDK's transport drops running calls as soon as the input ends; this one leaves that to
 * `serveStdio`, so that calls can be finished and answered first.
 */
export interface ServerStdioTransport extends Transport {
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
  const buffer = new sdk.ReadBuffer();
  const ended = Promise.withResolvers<void>();
  const calls = createOpenCalls();
  const end = () => ended.resolve();

  const read = (chunk: Buffer) => {
    try {
      buffer.append(chunk);
    } catch (error) {
      // The message is too long, and where the next one begins is unknown.
      transport.onerror?.(error as Error);
      input.off("data", read);
      end();
      return;
    }
    while (readOne());
  };
  const readOne = (): boolean => {
    try {
      const message = buffer.readMessage();
      if (message === null) return false;
      calls.noteIncoming(message);
      transport.onmessage?.(message);
    } catch (error) {
      transport.onerror?.(error as Error);
    }
    return true;
  };

  const transport: ServerStdioTransport = {
    ended: ended.promise,
    answered: calls.answered,
    async start() {
      for (const event of ["end", "close", "error"]) input.on(event, end);
      output.on("error", end);
      input.on("data", read);
    },
    send(message) {
      return new Promise<void>((resolve) => {
        output.write(sdk.serializeMessage(message), () => {
          calls.noteOutgoing(message);
          // A closed output is reported by the stream's own error event.
          resolve();
        });
      });
    },
    async close() {
      input.off("data", read);
      input.pause();
      transport.onclose?.();
    },
  };
  return transport;
}

/** Calls that have not been answered yet. */
function createOpenCalls() {
  const open = new Set<RequestId>();
  let onEmpty: (() => void) | undefined;
  const settle = (id: unknown) => {
    if (open.delete(id as RequestId) && open.size === 0) onEmpty?.();
  };
  return {
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
