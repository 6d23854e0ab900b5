import { createInterface } from "node:readline";
import { ReadStream } from "node:tty";

export type TypedLines = ReturnType<typeof createTypedLines>;

/** Reads the lines a person types while the agent works. */
export function createTypedLines(onLine: (line: string) => unknown) {
  let keyboard: ReturnType<typeof openKeyboard>;
  return {
    /** Stops listening while another part reads from the terminal. */
    pause() {
      keyboard?.destroy();
      keyboard = undefined;
    },
    resume() {
      if (keyboard !== undefined) return;
      keyboard = openKeyboard();
      if (keyboard === undefined) return;
      // The terminal itself edits the line, and turns Ctrl-C into a signal.
      const lines = createInterface({ input: keyboard, terminal: false });
      lines
        .on("error", () => {})
        .on("line", (line) => {
          if (line.trim() !== "") onLine(line);
        });
    },
  };
}

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
