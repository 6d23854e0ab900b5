import { createInterface } from "node:readline";
import { openKeyboard } from "./open-keyboard.ts";

/** Reads the lines a person types while the agent works. */
export interface TypedLines {
  /** Stops listening while something else reads from the terminal. */
  pause(): void;
  resume(): void;
}

export function createTypedLines(onLine: (line: string) => unknown): TypedLines {
  let keyboard: ReturnType<typeof openKeyboard>;
  return {
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
