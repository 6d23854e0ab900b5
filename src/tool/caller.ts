import { escapeLine } from "../shared/text/escape-controls.ts";

/** Who asked for a call: an agent, an MCP client, code, or a person at the command line. */
export interface Caller {
  readonly kind: "code" | "person" | "agent" | "mcp";
  readonly name: string;
  /** How an MCP client reached us. */
  readonly transport?: "stdio" | "http";
  /** What the token is called that it came with; never the token itself. */
  readonly token?: string;
}

/** What to call an agent that is not the only one to work for the person; undefined for anybody else. */
export function namedAgent({ kind, name }: Caller): string | undefined {
  return kind === "agent" && name !== "agent" ? escapeLine(name) : undefined;
}
