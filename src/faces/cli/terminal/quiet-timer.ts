/** Fires once no input has arrived for a moment. */
export interface QuietTimer {
  /** Starts waiting, or starts over because input arrived. */
  restart(): void;
  stop(): void;
}

// A person does not type that fast: input that arrives closer together was pasted or sent together.
const quietMs = 50;

export function createQuietTimer(onQuiet: () => void): QuietTimer {
  let timer: NodeJS.Timeout | undefined;
  let check: NodeJS.Immediate | undefined;
  const stop = () => {
    clearTimeout(timer);
    clearImmediate(check);
  };
  // On a busy machine the timer may fire before waiting input was read; it is read before an immediate runs.
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
