import { escapeLine } from "../shared/text/escape-controls.ts";

/** Who made a call: an agent, an MCP client, code, or a person at the command line. */
export interface Caller {
  readonly kind: "code" | "person" | "agent" | "mcp";
  readonly name: string;
  /** How an MCP client reached us. */
  readonly transport?: "stdio" | "http";
  /** Name of the token that an MCP client used; never the token itself. */
  readonly token?: string;
}

/** The name of a sub-agent; undefined for any other caller. */
export function namedAgent({ kind, name }: Caller): string | undefined {
  return kind === "agent" && name !== "agent" ? escapeLine(name) : undefined;
}
