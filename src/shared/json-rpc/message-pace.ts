export type MessagePace = ReturnType<typeof createMessagePace>;

/**
 * Slows down a server that sends more than a client could use. The process does nothing else while it reads a message; a
 * server that floods it would leave no time for other work.
 */
export function createMessagePace({ perSecond, atOnce } = serverPace) {
  let left = atOnce;
  let lastMs = performance.now();
  let asked = 0;
  return {
    /** Returns for how many milliseconds to read nothing more from a server, after this many of its messages. */
    read(messages: number): number {
      const nowMs = performance.now();
      const answers = Math.min(asked, messages);
      asked -= answers;
      left = Math.min(atOnce, left + ((nowMs - lastMs) * perSecond) / 1000) - (messages - answers);
      lastMs = nowMs;
      return left >= 0 ? 0 : Math.ceil((-left * 1000) / perSecond);
    },
    /** Allows one more message: the answer to a request of ours never counts as too fast. */
    ask(): void {
      asked += 1;
    },
  };
}

const serverPace = { perSecond: 2000, atOnce: 500 };
