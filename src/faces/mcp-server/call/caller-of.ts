import type { ClientCapabilities, Implementation, Server, ServerContext } from "@modelcontextprotocol/server";
import { isPlainObject } from "../../../shared/json.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import type { Caller } from "../../../tool/caller.ts";
import type { ServerSdk } from "../load-server-sdk.ts";

/** The client that calls, for the receipt. It names itself, so its name proves nothing. */
export interface ClientView {
  readonly name: string;
  readonly capabilities: ClientCapabilities | undefined;
  /** A date; empty if unknown. */
  readonly protocol: string;
  /** Requests are independent, so nothing may be sent to the client outside of an answer. */
  readonly isStateless: boolean;
}

/** Reads the client's names and features: the current protocol sends them in every request, legacy protocols in the handshake. */
export function clientOf(
  { mcpReq }: ServerContext,
  { server, sdk }: { server: Server; sdk: ServerSdk },
): ClientView {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  const info = envelope?.[sdk.CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const capabilities = envelope?.[sdk.CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  return {
    name: nameOf(info),
    capabilities: isPlainObject(capabilities) ? (capabilities as ClientCapabilities) : undefined,
    protocol: protocolOf(server),
    isStateless: envelope?.[sdk.PROTOCOL_VERSION_META_KEY] !== undefined,
  };
}

export function protocolOf(server: Server): string {
  return server.getNegotiatedProtocolVersion() ?? "";
}

export function callerOf(client: ClientView, way: Pick<Caller, "transport" | "token">): Caller {
  return { kind: "mcp", name: client.name, ...way };
}

function nameOf(info: Implementation | unknown): string {
  const name = isPlainObject(info) && typeof info.name === "string" ? info.name.trim() : "";
  if (name === "") return "unnamed client";
  return escapeLine(name.slice(0, maxNameCharacters).toWellFormed());
}

const maxNameCharacters = 100;
