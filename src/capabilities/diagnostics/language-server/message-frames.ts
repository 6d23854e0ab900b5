import { createByteBuffer } from "../../../shared/web/byte-buffer.ts";

/** Messages with a header that says how long each is, as the Language Server Protocol sends them. */
export interface MessageFrames {
  push(chunk: Buffer): void;
}

/** Throws from `push` for a message that is longer than the limit, or that has no length. */
export function createMessageFrames(maxBytes: number, onMessage: (text: string) => void): MessageFrames {
  /** What there is of a header. */
  let begun: Buffer = Buffer.alloc(0);
  /** Bytes of the message that is being received; undefined before its header is complete. */
  let expected: number | undefined;
  const body = createByteBuffer();
  return {
    push(chunk) {
      for (let input = chunk; input.length > 0; ) {
        if (expected === undefined) {
          const received = begun.length === 0 ? input : Buffer.concat([begun, input]);
          const end = received.indexOf("\r\n\r\n");
          if (end === -1 && received.length > maxHeaderBytes)
            throw new Error("it sent something that is no message");
          begun = end === -1 ? received : Buffer.alloc(0);
          if (end === -1) return;
          expected = lengthIn(received.toString("latin1", 0, end));
          if (expected > maxBytes) throw new Error(`it sent a message of ${expected} bytes`);
          input = received.subarray(end + 4);
        }
        const missing = expected - body.length;
        if (input.length < missing) return body.push(input);
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
