const maxBusyMs = 10;

/**
 * Lets timers and streams run now and then. Work that waits only for promises keeps the event loop to itself however
 * often it awaits; deadlines would never fire.
 */
export function createEventLoopYield(): (nowMs: number) => Promise<void> | undefined {
  let lastMs = performance.now();
  return (nowMs) => {
    if (nowMs - lastMs < maxBusyMs) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        lastMs = performance.now();
        resolve();
      }),
    );
  };
}

/** Yields between two steps that each take a moment if the text is long. */
export function letOthersRun(text: { readonly length: number }): Promise<void> | undefined {
  return text.length < longCharacters ? undefined : new Promise((resolve) => setImmediate(resolve));
}

const longCharacters = 1_000_000;
