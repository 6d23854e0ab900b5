import { createInterface } from "node:readline";

/** The line that was typed; undefined when the person left instead, by Ctrl-C, Ctrl-D or because nobody waits any more. */
export function readAnswer(question: string, signal: AbortSignal): Promise<string | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  // In terminal mode readline gets Ctrl-C itself and closes, so that here it means no and does not end the process.
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  const leave = () => terminal.close();
  return new Promise<string | undefined>((resolve) => {
    terminal.on("close", () => {
      process.stderr.write("\n");
      resolve(undefined);
    });
    signal.addEventListener("abort", leave, { once: true });
    terminal.question(question, resolve);
  }).finally(() => {
    signal.removeEventListener("abort", leave);
    terminal.removeAllListeners("close");
    terminal.close();
  });
}
