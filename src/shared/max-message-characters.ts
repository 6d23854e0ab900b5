/** Of a message to an agent. More fits in no context, and masking it would keep everybody waiting. */
export const maxMessageCharacters = 2_000_000;
