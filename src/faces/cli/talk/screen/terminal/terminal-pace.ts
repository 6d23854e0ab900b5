import type { WriteStream } from "node:tty";
import type { TuiMainScreen } from "@earendil-works/pi-tui";

/** Tells when a terminal has taken all the text that was written to it. */
export interface TerminalPace {
  /** Resolves when it has taken the text; undefined if it has already. */
  whenReady(): Promise<void> | undefined;
}

/**
 * Writes without waiting for the terminal, which may be slow or stopped: a process that waits in a write answers no key.
 * `close` makes writes wait again, so that no text is lost when the process ends.
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

/** Draws no faster than the terminal takes the text, so that a key is answered after at most one small frame. */
export function paceFrames(tui: TuiMainScreen, pace: TerminalPace) {
  let undrawn = 0;
  let maxUndrawn = usualUndrawn;
  let drawn = Promise.withResolvers<void>();
  let isWanted = false;
  const render = tui.render.bind(tui);
  tui.render = (width) => {
    undrawn = 0;
    drawn.resolve();
    drawn = Promise.withResolvers();
    return render(width);
  };
  const requestRender = tui.requestRender.bind(tui);
  tui.requestRender = (force) => {
    const ready = pace.whenReady();
    if (ready === undefined || force) return requestRender(force);
    if (isWanted) return;
    isWanted = true;
    void ready.then(() => {
      isWanted = false;
      requestRender();
    });
  };
  const waitForFrame = async (): Promise<void> => {
    if (undrawn > maxUndrawn) await drawn.promise;
    const ready = pace.whenReady();
    const since = performance.now();
    await ready;
    maxUndrawn = performance.now() - since > slowMs ? slowUndrawn : usualUndrawn;
  };
  return {
    /** Adds to the number of characters that the next frame will have. */
    noteShown(characters: number) {
      undrawn += characters;
    },
    /** Resolves when more may be shown; undefined if that is now. */
    whenReady: () => (undrawn > maxUndrawn || pace.whenReady() !== undefined ? waitForFrame() : undefined),
  };
}

/** Characters per frame for a terminal that keeps up; half a megabyte in a second. A slow one gets fewer. */
const usualUndrawn = 8000;
const slowUndrawn = 1000;
const slowMs = 100;
