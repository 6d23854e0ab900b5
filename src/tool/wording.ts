/** Names tools and arguments as the caller's dialect does. */
export interface Wording {
  /** `offset=2001`, with the name and number converted to the caller's dialect. */
  argument(name: string, value: number | string | boolean): string;
  /** The caller's name for a tool. A tool that is named is offered to the model from then on. */
  tool(name: string): string;
  /** Whether the caller may call a tool; an answer should name no other. */
  hasTool(name: string): boolean;
}

export const canonicalWording: Wording = {
  argument: (name, value) => `${name}=${value}`,
  tool: (name) => name,
  hasTool: () => true,
};
