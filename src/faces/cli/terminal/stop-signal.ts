/** Aborts on the first SIGINT, SIGTERM or SIGHUP; a second one ends the process immediately. */
export function stopSignal(): AbortSignal {
  return listen().signal;
}

/** Does one piece of work with such a signal: before and after it, a signal ends the process immediately. */
export async function runUntilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const { signal, close } = listen();
  try {
    await work(signal);
  } finally {
    close();
  }
}

/** Resolves when the signal aborts. */
export function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

function listen() {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals) => controller.abort(new Error(`interrupted by ${signal}`));
  for (const signal of signals) process.once(signal, stop);
  const close = () => {
    for (const signal of signals) process.removeListener(signal, stop);
  };
  return { signal: controller.signal, close };
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
