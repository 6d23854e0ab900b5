/** How to speak of tools and arguments in the names the caller knows them by, whatever the dialect. */
export interface Wording {
  /** `offset=2001`, or what that is called and counted from in the caller's dialect. */
  argument(name: string, value: number | string | boolean): string;
  tool(name: string): string;
}

export const canonicalWording: Wording = {
  argument: (name, value) => `${name}=${value}`,
  tool: (name) => name,
};
