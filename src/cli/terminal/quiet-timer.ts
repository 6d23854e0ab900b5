/** Waits for a moment in which nothing comes. */
export interface QuietTimer {
  /** Begins, or begins again because something came. */
  restart(): void;
  stop(): void;
}

// Nobody reads and answers so fast; what comes closer together was sent together.
const quietMs = 50;

export function createQuietTimer(onQuiet: () => void): QuietTimer {
  let timer: NodeJS.Timeout | undefined;
  let check: NodeJS.Immediate | undefined;
  const stop = () => {
    clearTimeout(timer);
    clearImmediate(check);
  };
  // On a busy machine time is up before anything was read; what lies ready is read before an immediate runs.
  const checkAgain = () => {
    check = setImmediate(onQuiet);
  };
  return {
    stop,
    restart() {
      stop();
      timer = setTimeout(checkAgain, quietMs);
    },
  };
}
