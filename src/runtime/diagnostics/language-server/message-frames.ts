/** Messages with a header that says how long each is, as the Language Server Protocol sends them. */
export interface MessageFrames {
  push(chunk: Buffer): void;
}

/** Throws from `push` for a message that is longer than the limit, or that has no length. */
export function createMessageFrames(maxBytes: number, onMessage: (text: string) => void): MessageFrames {
  let held: Buffer[] = [];
  let heldBytes = 0;
  /** Bytes of the message that is being received; undefined before its header is complete. */
  let expected: number | undefined;
  const all = () => {
    const joined = held.length === 1 ? held[0]! : Buffer.concat(held);
    held = [joined];
    return joined;
  };
  const keep = (rest: Buffer) => {
    held = rest.length === 0 ? [] : [rest];
    heldBytes = rest.length;
  };
  return {
    push(chunk) {
      held.push(chunk);
      heldBytes += chunk.length;
      for (;;) {
        if (expected === undefined) {
          const received = all();
          const end = received.indexOf("\r\n\r\n");
          if (end === -1) {
            if (heldBytes > maxHeaderBytes) throw new Error("it sent something that is no message");
            return;
          }
          expected = lengthIn(received.toString("latin1", 0, end));
          if (expected > maxBytes) throw new Error(`it sent a message of ${expected} bytes`);
          keep(received.subarray(end + 4));
        }
        // Joined once it is complete: most of a long message comes in many chunks.
        if (heldBytes < expected) return;
        const received = all();
        const text = received.toString("utf8", 0, expected);
        keep(received.subarray(expected));
        expected = undefined;
        onMessage(text);
        if (heldBytes === 0) return;
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
