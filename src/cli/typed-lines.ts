import { createInterface, type Interface } from "node:readline";

/** What a person types while the agent works. */
export interface TypedLines {
  /** Stops listening while something else reads from the terminal. */
  pause(): void;
  resume(): void;
}

export function createTypedLines(onLine: (line: string) => unknown): TypedLines {
  let reader: Interface | undefined;
  return {
    pause() {
      reader?.close();
      reader = undefined;
    },
    resume() {
      // The terminal itself edits the line, and turns Ctrl-C into a signal.
      reader ??= createInterface({ input: process.stdin, terminal: false }).on("line", (line) => {
        if (line.trim() !== "") onLine(line);
      });
    },
  };
}
