/** The longest message to an agent. A longer one fits in no context, and masking it would block the process. */
export const maxMessageCharacters = 2_000_000;
