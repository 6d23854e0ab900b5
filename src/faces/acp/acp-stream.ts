import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { isPlainObject } from "../../shared/json.ts";
import { findJsonExcess, requestLimits } from "../../shared/json-rpc/find-json-excess.ts";
import { createMessageLines } from "../../shared/json-rpc/message-lines.ts";

export interface AcpStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: Pick<NodeJS.WritableStream, "write" | "on">;
}

/**
 * The protocol's messages, one per line. The SDK's own stream has no limit for how deep or wide a message is, nor for how
 * many requests may be open at once; this one answers a message above its limits with an error and goes on.
 */
export function createAcpStream(
  { input, output }: AcpStreams,
  { onError = () => {} }: { onError?: ((error: Error) => void) | undefined } = {},
): Stream {
  const open = new Set<unknown>();
  let waitingBytes = 0;
  let isReading = true;

  // The input of an editor that does not read our answers is paused, or these would fill the memory.
  const keepPace = (hasRoom: boolean) => {
    if (hasRoom && waitingBytes <= maxWaitingBytes) input.resume();
    else input.pause();
  };
  const write = (message: unknown): Promise<void> => {
    const text = `${JSON.stringify(message)}\n`;
    waitingBytes += text.length;
    if (waitingBytes > maxWaitingBytes) keepPace(false);
    return new Promise((resolve) => {
      output.write(text, () => {
        waitingBytes -= text.length;
        keepPace(isReading);
        resolve();
      });
    });
  };
  const refuse = (message: string, { code = invalidRequest, id = null as unknown } = {}) => {
    onError(new Error(message));
    void write({ jsonrpc: "2.0", id, error: { code, message } });
  };
  const readLine = (line: string): AnyMessage | undefined => {
    if (line.trim() === "") return undefined;
    const excess = findJsonExcess(line, requestLimits);
    if (excess !== undefined) return void refuse(`the message cannot be taken: ${excess}`);
    const message = parse(line);
    if (message === undefined) return void refuse("the message is not JSON", { code: parseError });
    if (!isPlainObject(message)) return void refuse("a message must be a JSON object");
    const { id, method } = message;
    if (id === undefined || typeof method !== "string") return message as AnyMessage;
    if (open.size >= maxOpenRequests || open.has(id))
      return void refuse(`request ${JSON.stringify(id)} is one too many; wait for the others`, { id });
    open.add(id);
    return message as AnyMessage;
  };

  let end = () => {};
  const readable = new ReadableStream<AnyMessage>(
    {
      start(controller) {
        const lines = createMessageLines(maxMessageBytes, {
          onLine(line) {
            const message = readLine(line);
            if (message !== undefined) controller.enqueue(message);
          },
          onSkipped: ({ bytes }) => refuse(`the message has ${bytes} bytes; the limit is ${maxMessageBytes}`),
        });
        end = () => {
          if (!isReading) return;
          isReading = false;
          controller.close();
        };
        input.on("data", (chunk: Buffer) => {
          if (!isReading) return;
          lines.push(chunk);
          if ((controller.desiredSize ?? 0) <= 0) keepPace(false);
        });
        for (const event of ["end", "close", "error"]) input.on(event, end);
        output.on("error", end);
      },
      pull: () => keepPace(true),
      cancel() {
        isReading = false;
        input.pause();
      },
    },
    { highWaterMark: maxQueuedMessages },
  );
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      if ("id" in message && !("method" in message)) open.delete(message.id);
      await write(message);
    },
  });
  return { readable, writable };
}

/** An image in a prompt may be large. */
const maxMessageBytes = 16 * 1024 * 1024;
const maxWaitingBytes = 16 * 1024 * 1024;
const maxQueuedMessages = 64;
const maxOpenRequests = 100;
const parseError = -32_700;
const invalidRequest = -32_600;

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
