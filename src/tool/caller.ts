import { knownKeys, value } from "../shared/options/known-keys.ts";
import { oneLine } from "../shared/text/one-line.ts";

/** Who made a call: an agent, an MCP client, code, or a person at the command line. */
export interface Caller {
  readonly kind: "code" | "person" | "agent" | "mcp";
  readonly name: string;
  /** How an MCP client reached us. */
  readonly transport?: "stdio" | "http";
  /** Name of the token that an MCP client used; never the token itself. */
  readonly token?: string;
}

export function isCaller(value: unknown): value is Caller {
  const { kind, name } = (value ?? {}) as Partial<Caller>;
  return typeof name === "string" && ["code", "person", "agent", "mcp"].some((each) => each === kind);
}

export const callerKeys = knownKeys<Caller>({ kind: value, name: value, transport: value, token: value });

/** A sub-agent in words for a person; undefined for any other caller. */
export function namedAgent({ kind, name }: Caller): string | undefined {
  return kind === "agent" && name !== "agent" ? quotedAgent(name) : undefined;
}

/** Names are in quotes that they cannot close, because others choose them. */
export function quotedAgent(name: string): string {
  return `Agent "${oneLine(name.replaceAll('"', "'"), maxNameCharacters)}"`;
}

const maxNameCharacters = 80;
