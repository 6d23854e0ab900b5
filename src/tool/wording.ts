/** Names tools and arguments as the caller's dialect does. */
export interface Wording {
  /** `offset=2001`, with the name and number converted to the caller's dialect. */
  argument(name: string, value: number | string | boolean): string;
  tool(name: string): string;
}

export const canonicalWording: Wording = {
  argument: (name, value) => `${name}=${value}`,
  tool: (name) => name,
};
