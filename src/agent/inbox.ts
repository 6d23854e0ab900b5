/** What was said to an agent that its model has not read yet. */
export interface Inbox {
  readonly isEmpty: boolean;
  add(message: string): void;
  /** All of it, once. */
  take(): readonly string[];
  /** Calls whenever something comes in, until the function that it returns is called. */
  listen(onMessage: () => void): () => void;
}

export function createInbox(): Inbox {
  let messages: string[] = [];
  const listeners = new Set<() => void>();
  return {
    get isEmpty() {
      return messages.length === 0;
    },
    add(message) {
      messages.push(message);
      for (const onMessage of listeners) onMessage();
    },
    take() {
      const taken = messages;
      messages = [];
      return taken;
    },
    listen(onMessage) {
      listeners.add(onMessage);
      return () => listeners.delete(onMessage);
    },
  };
}
