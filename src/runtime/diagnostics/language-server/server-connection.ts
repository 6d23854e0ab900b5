import type { ChildProcess } from "node:child_process";
import { isPlainObject } from "../../../shared/json.ts";
import { answerLimits, findJsonExcess } from "../../../shared/json-rpc/find-json-excess.ts";
import { createMessageFrames } from "./message-frames.ts";

/** JSON-RPC with a language server, over its stdin and stdout. */
export interface ServerConnection {
  /** Rejects when the server answers with an error, or ends. */
  request(method: string, params: unknown): Promise<unknown>;
  notify(method: string, params: unknown): void;
  /** Resolves with the reason when nothing more can come. */
  readonly ended: Promise<Error>;
  end(reason: Error): void;
}

export interface ConnectionHandlers {
  onNotification(method: string, params: unknown): void;
  /** Our answer to a request of the server; undefined for a method that we do not have. */
  answer(method: string, params: unknown): { readonly result: unknown } | undefined;
}

const maxMessageBytes = 16 * 2 ** 20;

export function connectToServer(child: ChildProcess, handlers: ConnectionHandlers): ServerConnection {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ended = Promise.withResolvers<Error>();
  let isOver = false;
  let lastId = 0;
  let errors = "";

  const end = (reason: Error) => {
    if (isOver) return;
    isOver = true;
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
    ended.resolve(reason);
  };
  const send = (message: object) => {
    if (isOver) return;
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const take = (text: string) => {
    const excess = findJsonExcess(text, answerLimits);
    if (excess !== undefined) throw new Error(`it sent a message that is too large: ${excess}`);
    const message: unknown = JSON.parse(text);
    if (!isPlainObject(message)) return;
    const { id, method, params, result, error } = message;
    if (typeof method === "string") {
      if (id === undefined) return handlers.onNotification(method, params);
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
    try {
      frames.push(chunk);
    } catch (error) {
      end(error as Error);
    }
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
    async request(method, params) {
      if (isOver) throw await ended.promise;
      lastId += 1;
      const asked = Promise.withResolvers<unknown>();
      waiting.set(lastId, asked);
      send({ id: lastId, method, params });
      return asked.promise;
    },
    notify: (method, params) => send({ method, params }),
    ended: ended.promise,
    end,
  };
}

const maxErrorCharacters = 500;
