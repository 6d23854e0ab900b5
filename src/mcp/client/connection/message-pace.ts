/** Returns for how many milliseconds to read nothing more from a server, after this many of its messages. */
export type MessagePace = (messages: number) => number;

/**
 * Slows down a server that sends more than anybody could use. Each message takes a moment in which everybody else waits;
 * a server that floods us would leave no other.
 */
export function createMessagePace({ perSecond, atOnce } = serverPace): MessagePace {
  let left = atOnce;
  let lastMs = performance.now();
  return (messages) => {
    const nowMs = performance.now();
    left = Math.min(atOnce, left + ((nowMs - lastMs) * perSecond) / 1000) - messages;
    lastMs = nowMs;
    return left >= 0 ? 0 : Math.ceil((-left * 1000) / perSecond);
  };
}

const serverPace = { perSecond: 2000, atOnce: 500 };
