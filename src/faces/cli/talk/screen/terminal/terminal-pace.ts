import type { WriteStream } from "node:tty";

/** How far a terminal has come with what was written to it. */
export interface TerminalPace {
  /** Undefined: it has taken all of it. */
  whenReady(): Promise<void> | undefined;
}

/**
 * Writes without waiting for the terminal, which may be slow or stopped: who waits in a write answers no key. `close` makes
 * writes wait again, so that nothing is lost when the process ends.
 */
export function openTerminalPace(stream: WriteStream): TerminalPace & { close(): void } {
  const { _handle: handle } = stream as { _handle?: { setBlocking?(isBlocking: boolean): void } };
  handle?.setBlocking?.(false);
  let waiting: Promise<void> | undefined;
  return {
    whenReady() {
      if (stream.writableLength === 0 || stream.destroyed) return undefined;
      waiting ??= new Promise<void>((resolve) => {
        stream.write("", () => resolve());
      }).finally(() => {
        waiting = undefined;
      });
      return waiting;
    },
    close: () => handle?.setBlocking?.(true),
  };
}
