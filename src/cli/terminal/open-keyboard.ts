import { ReadStream } from "node:tty";

/**
 * The keys of the terminal, for one reader, who destroys it. Not `process.stdin`, which Ctrl-D ends for good while the
 * person is still there. Undefined where the terminal is gone.
 */
export function openKeyboard(): ReadStream | undefined {
  try {
    // When the terminal goes away, the stream closes, and that is all there is to know.
    return new ReadStream(0).on("error", () => {}) as ReadStream;
  } catch {
    return undefined;
  }
}
