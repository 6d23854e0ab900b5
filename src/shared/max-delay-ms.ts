/** The longest delay that a timer accepts; a longer one would fire immediately. */
export const maxDelayMs = 2 ** 31 - 1;
