/** Calls a function that needs more than a text, or whose answer is to be used. */
export type Adapter = (call: (...values: unknown[]) => unknown, text: string) => unknown;
