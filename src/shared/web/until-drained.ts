import type { EventEmitter } from "node:events";

/** Resolves once more can be written, or nothing any more. `owner` tells when the stream has closed. */
export function untilDrained(stream: EventEmitter, owner: EventEmitter = stream): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      stream.off("drain", go);
      owner.off("close", go);
      resolve();
    };
    stream.on("drain", go);
    owner.on("close", go);
  });
}
