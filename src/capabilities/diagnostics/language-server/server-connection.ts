import type { ChildProcess } from "node:child_process";
import { isPlainObject } from "../../../shared/json.ts";
import { answerLimits, findJsonExcess } from "../../../shared/json-rpc/find-json-excess.ts";
import { createMessagePace } from "../../../shared/json-rpc/message-pace.ts";
import { createByteBuffer } from "../../../shared/web/byte-buffer.ts";

export interface ConnectionHandlers {
  onNotification(method: string, params: unknown): void;
  /** Our answer to a request of the server; undefined for a method that we do not have. */
  answer(method: string, params: unknown): { readonly result: unknown } | undefined;
}

const maxMessageBytes = 16 * 2 ** 20;

/** JSON-RPC with a language server, over its stdin and stdout. */
export function connectToServer(
  child: ChildProcess,
  handlers: ConnectionHandlers,
  { unreadMs = 10_000 }: { readonly unreadMs?: number } = {},
) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ended = Promise.withResolvers<Error>();
  let isOver = false;
  let lastId = 0;
  let errors = "";

  let unread: NodeJS.Timeout | undefined;
  let pauses = 0;
  let taken = 0;
  const pace = createMessagePace();

  /** Several things may wait; returns a function that reads on unless something else still does. */
  const pauseReading = (): (() => void) => {
    pauses += 1;
    child.stdout?.pause();
    return () => {
      pauses -= 1;
      if (pauses === 0) child.stdout?.resume();
    };
  };
  const end = (reason: Error) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(unread);
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
    ended.resolve(reason);
  };
  const send = (message: object) => {
    if (isOver) return;
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    const { stdin } = child;
    // A server that does not read our answers is not read from either, or the answers would fill the memory.
    const frame = `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    if (stdin?.write(frame) === false && unread === undefined) {
      const resume = pauseReading();
      unread = setTimeout(end, unreadMs, new Error(doesNotRead)).unref();
      stdin.once("drain", () => {
        clearTimeout(unread);
        unread = undefined;
        resume();
      });
    }
    if ((stdin?.writableLength ?? 0) > maxWaitingBytes) end(new Error(doesNotRead));
  };
  const isTooOften = createRate(maxRequestsPerSecond);
  const take = (text: string) => {
    taken += 1;
    const excess = findJsonExcess(text, answerLimits);
    if (excess !== undefined) throw new Error(`it sent a message that is too large: ${excess}`);
    const message: unknown = JSON.parse(text);
    if (!isPlainObject(message)) return;
    const { id, method, params, result, error } = message;
    if (typeof method === "string") {
      if (id === undefined) return handlers.onNotification(method, params);
      if (isTooOften()) throw new Error(`it sent more than ${maxRequestsPerSecond} requests in a second`);
      const answer = handlers.answer(method, params);
      return send({ id, ...(answer ?? { error: { code: -32601, message: "not supported" } }) });
    }
    const asked = typeof id === "number" ? waiting.get(id) : undefined;
    if (asked === undefined) return;
    waiting.delete(id as number);
    if (error === undefined) asked.resolve(result);
    else asked.reject(new Error(`it answered: ${isPlainObject(error) ? String(error.message) : "an error"}`));
  };
  const frames = createMessageFrames(maxMessageBytes, take);

  for (const stream of child.stdio) stream?.on("error", () => {});
  child.stdout?.on("data", (chunk: Buffer) => {
    if (isOver) return;
    taken = 0;
    try {
      frames.push(chunk);
    } catch (error) {
      return end(error as Error);
    }
    const restMs = pace.read(taken);
    if (restMs > 0) setTimeout(pauseReading(), restMs).unref();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    errors = `${errors}${chunk}`.slice(-maxErrorCharacters);
  });
  child.once("error", end);
  child.once("exit", (code, signal) => {
    const said = errors.trim() === "" ? "" : `: ${errors.trim()}`;
    end(new Error(`it ended with ${signal ?? `exit code ${code}`}${said}`));
  });

  return {
    /** Rejects when the server answers with an error, or ends. */
    async request(method: string, params: unknown): Promise<unknown> {
      if (isOver) throw await ended.promise;
      lastId += 1;
      const asked = Promise.withResolvers<unknown>();
      waiting.set(lastId, asked);
      pace.ask();
      send({ id: lastId, method, params });
      return asked.promise;
    },
    notify: (method: string, params: unknown) => send({ method, params }),
    /** Resolves with the reason when nothing more can come. */
    ended: ended.promise,
    end,
  };
}

const doesNotRead = "it does not read what it is sent";
const maxErrorCharacters = 500;
// More than one file that may be edited as a whole.
const maxWaitingBytes = 64 * 2 ** 20;
const maxRequestsPerSecond = 200;

/** Counts calls, and says whether there were too many within a second. */
function createRate(maxPerSecond: number): () => boolean {
  let [since, count] = [performance.now(), 0];
  return () => {
    const now = performance.now();
    if (now - since > 1000) [since, count] = [now, 0];
    count += 1;
    return count > maxPerSecond;
  };
}

/**
 * Messages with a header that says how long each is, as the Language Server Protocol sends them. `push` throws for a message
 * that is longer than the limit, or that has no length.
 */
export function createMessageFrames(maxBytes: number, onMessage: (text: string) => void) {
  /** The beginning of a header that has arrived. */
  let begun: Buffer = Buffer.alloc(0);
  /** Bytes of the message that is being received; undefined before its header is complete. */
  let expected: number | undefined;
  const body = createByteBuffer();
  return {
    push(chunk: Buffer) {
      for (let input = chunk; input.length > 0; ) {
        if (expected === undefined) {
          const received = begun.length === 0 ? input : Buffer.concat([begun, input]);
          const end = received.indexOf("\r\n\r\n");
          if (end === -1 && received.length > maxHeaderBytes)
            throw new Error("it sent something that is not a message");
          begun = end === -1 ? received : Buffer.alloc(0);
          if (end === -1) return;
          expected = lengthIn(received.toString("latin1", 0, end));
          if (expected > maxBytes) throw new Error(`it sent a message of ${expected} bytes`);
          input = received.subarray(end + 4);
        }
        const missing = expected - body.length;
        if (input.length < missing) {
          body.push(input);
          return;
        }
        expected = undefined;
        onMessage(body.take(input.subarray(0, missing)).toString("utf8"));
        input = input.subarray(missing);
      }
    },
  };
}

const maxHeaderBytes = 4096;

function lengthIn(header: string): number {
  const line = header.split("\r\n").find((each) => each.toLowerCase().startsWith("content-length:"));
  const length = Number(line?.slice("content-length:".length));
  if (line === undefined || !Number.isSafeInteger(length) || length < 0)
    throw new Error("it sent a message without its length");
  return length;
}
