import { ReadStream } from "node:tty";

/**
 * Opens the terminal's keys for one reader, who must destroy the stream. Not `process.stdin`, which Ctrl-D ends for good
 * while the person is still there. Undefined if the terminal is gone.
 */
export function openKeyboard(): ReadStream | undefined {
  try {
    // A terminal that goes away also closes the stream, which is all that readers need.
    return new ReadStream(0).on("error", () => {}) as ReadStream;
  } catch {
    return undefined;
  }
}
