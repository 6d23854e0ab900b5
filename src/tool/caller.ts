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
  /** For a sub-agent: who made the call that it was spawned for, or that its parent was. */
  readonly onBehalfOf?: Omit<Caller, "onBehalfOf">;
}

export function isCaller(value: unknown): value is Caller {
  const { kind, name } = (value ?? {}) as Partial<Caller>;
  return typeof name === "string" && ["code", "person", "agent", "mcp"].some((each) => each === kind);
}

const ownKeys = { kind: value, name: value, transport: value, token: value } as const;

export const callerKeys = knownKeys<Caller>({
  ...ownKeys,
  onBehalfOf: knownKeys<Omit<Caller, "onBehalfOf">>(ownKeys),
});

/** A sub-agent in words for a person; undefined for any other caller. */
export function namedAgent({ kind, name }: Caller): string | undefined {
  // Sub-agents without a kind are named agent, and have an id that says so too.
  return kind === "agent" && name !== "agent"
    ? quotedAgent(name.replace(/^agent (?=agent_)/, ""))
    : undefined;
}

/**
 * Says in words for a person on whose behalf a sub-agent works; undefined if that is the agent that the person works
 * with.
 */
export function describeBehalf({ onBehalfOf }: Caller): string | undefined {
  if (onBehalfOf === undefined || onBehalfOf.kind === "agent") return undefined;
  const { kind, name, token } = onBehalfOf;
  const by = token === undefined ? "" : ` with token ${token}`;
  return `${kind === "mcp" ? "MCP client" : kind} ${quoted(name)}${by}`;
}

/** Names are in quotes that they cannot close, because others choose them. */
export function quotedAgent(name: string): string {
  return `Agent ${quoted(name)}`;
}

function quoted(name: string): string {
  return `"${oneLine(name, maxNameCharacters).replaceAll('"', "'")}"`;
}

const maxNameCharacters = 80;
