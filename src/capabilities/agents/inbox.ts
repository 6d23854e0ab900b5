/** Messages to an agent that its model has not read yet. */
export interface Inbox {
  readonly isEmpty: boolean;
  add(message: string): void;
  /** Removes and returns all messages. */
  take(): readonly string[];
  /** Calls `onMessage` for every new message. Returns a function that stops this. */
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
