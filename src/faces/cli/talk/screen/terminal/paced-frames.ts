import type { TuiMainScreen } from "@earendil-works/pi-tui";
import type { TerminalPace } from "./terminal-pace.ts";

/** Draws no faster than the terminal takes it, so that a key is never behind more than a little that was said. */
export interface PacedFrames {
  /** So many characters will be in the next frame. */
  noteShown(characters: number): void;
  /** Undefined: more can be shown at once. */
  whenReady(): Promise<void> | undefined;
}

export function paceFrames(tui: TuiMainScreen, pace: TerminalPace): PacedFrames {
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
    noteShown(characters) {
      undrawn += characters;
    },
    whenReady: () => (undrawn > maxUndrawn || pace.whenReady() !== undefined ? waitForFrame() : undefined),
  };
}

/** What a terminal that takes frames as they come is given at once; half a megabyte in a second. */
const usualUndrawn = 8000;
const slowUndrawn = 1000;
const slowMs = 100;
