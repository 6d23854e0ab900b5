import type { Session } from "../../kernel/runtime/session.ts";
import type { Runtime } from "../../open-runtime.ts";
import type { Caller } from "../../tool/caller.ts";
import { type CallTable, createCallTable } from "./call/call-table.ts";
import { createGateway, type Gateway } from "./gateway/gateway.ts";
import type { ServerSdk } from "./load-server-sdk.ts";
import { createResources, type Resources } from "./resources.ts";
import { createServedTools, type ServedTools } from "./served-tools.ts";

/** What all connections of one session share. */
export interface McpServerParts {
  readonly sdk: ServerSdk;
  readonly session: Session;
  readonly servedTools: ServedTools;
  readonly resources: Resources;
  /** Undefined if there are no other servers behind this one. */
  readonly gateway: Gateway | undefined;
  readonly calls: CallTable;
  /** How this session's clients connect, for the receipts. */
  readonly way: Pick<Caller, "transport" | "token">;
  readonly version: string;
  readonly instructions: string;
}

export interface PartsOptions extends Pick<McpServerParts, "sdk" | "session" | "way" | "version"> {
  /** Limit of tools per page. */
  readonly pageSize?: number | undefined;
}

export function createMcpServerParts(runtime: Runtime, options: PartsOptions): McpServerParts {
  const { sdk, session, way, version, pageSize } = options;
  const gateway = createGateway(runtime, { session, sdk });
  return {
    sdk,
    session,
    gateway,
    way,
    version,
    servedTools: createServedTools(session, { sdk, onChange: runtime.tools.onChange, pageSize }),
    resources: createResources(runtime, { sdk, sessionId: session.id, gateway }),
    calls: createCallTable(),
    instructions: instructionsFor(runtime.workspace),
  };
}

function instructionsFor(workspace: string): string {
  return [
    `These tools work in ${workspace}.`,
    "Every call is checked, may need a person's approval, and leaves a receipt at toolwright://receipts/{callId};",
    "the callId is in the result's _meta.",
    "If a call is denied, do not try to do the same thing another way; the result says what you can do.",
  ].join(" ");
}
