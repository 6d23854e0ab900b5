import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { isPlainObject } from "../../shared/json.ts";
import { answerLimits, findJsonExcess } from "../../shared/json-rpc/find-json-excess.ts";
import type { Message } from "./peer.ts";

/** The way of messages to one other process. */
export interface ChildChannel {
  /** Throws if the message cannot be written down. A process that is gone gets nothing, and its end is handled elsewhere. */
  send(message: Message): void;
  listen(listeners: ChildChannelListeners): void;
  close(): void;
}

export interface ChildChannelListeners {
  onMessage(message: object): void;
  /** Something arrived that cannot be read as a message, or is too long. */
  onBroken(
    why: { readonly state: "misbehaved" } | { readonly state: "over"; readonly limit: "output" },
  ): void;
}

/**
 * A channel for code of the user or ours: values arrive as rich as in one process, such as typed arrays, dates and
 * maps.
 */
export function processChannel(child: ChildProcess): ChildChannel {
  return {
    send: (message) => void (child.connected && child.send(message, () => {})),
    listen: ({ onMessage }) => void child.on("message", onMessage),
    close: () => child.connected && child.disconnect(),
  };
}

/**
 * A channel for code that may want harm: JSON, a message on each line, and every line is judged before it is parsed.
 */
export function lineChannel(socket: Socket, maxBytes = Number.POSITIVE_INFINITY): ChildChannel {
  return {
    send: (message) => void socket.write(`${JSON.stringify(message)}\n`),
    close: () => socket.destroy(),
    listen({ onMessage, onBroken }) {
      let pieces: Buffer[] = [];
      let bytes = 0;
      socket.on("data", (chunk: Buffer) => {
        let from = 0;
        for (let at = chunk.indexOf(10); at !== -1 && !socket.destroyed; at = chunk.indexOf(10, from)) {
          if (bytes + at - from > maxBytes) return onBroken({ state: "over", limit: "output" });
          const line = Buffer.concat([...pieces, chunk.subarray(from, at)]).toString("utf8");
          [pieces, bytes, from] = [[], 0, at + 1];
          const message = parseMessage(line);
          if (message === undefined) return onBroken({ state: "misbehaved" });
          onMessage(message);
        }
        pieces.push(chunk.subarray(from));
        bytes += chunk.length - from;
        if (bytes > maxBytes) onBroken({ state: "over", limit: "output" });
      });
    },
  };
}

/** Without `__proto__`, which a later copy of the value would obey. */
function parseMessage(line: string): object | undefined {
  if (findJsonExcess(line, answerLimits) !== undefined) return undefined;
  try {
    const isPlain = !line.includes("__proto__") && !line.includes("\\u");
    const drop = (key: string, value: unknown) => (key === "__proto__" ? undefined : value);
    const message: unknown = isPlain ? JSON.parse(line) : JSON.parse(line, drop);
    return isPlainObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
