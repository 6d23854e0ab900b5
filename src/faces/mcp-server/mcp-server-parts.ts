import type { Session } from "../../kernel/runtime/index.ts";
import type { Runtime } from "../../open-runtime.ts";
import type { Caller } from "../../tool/caller.ts";
import { createCallTable } from "./call/call-table.ts";
import { createGateway } from "./gateway/gateway.ts";
import type { ServerSdk } from "./load-server-sdk.ts";
import { createResources } from "./resources.ts";
import { createServedTools } from "./served-tools.ts";

export interface PartsOptions {
  readonly sdk: ServerSdk;
  readonly session: Session;
  /** How this session's clients connect, for the receipts. */
  readonly way: Pick<Caller, "transport" | "token">;
  readonly version: string;
  /** Limit of tools per page. */
  readonly pageSize?: number | undefined;
}

export type McpServerParts = ReturnType<typeof createMcpServerParts>;

/** Makes the parts that all connections of one session share. */
export function createMcpServerParts(runtime: Runtime, options: PartsOptions) {
  const { sdk, session, pageSize } = options;
  /** Undefined if there are no other servers behind this one. */
  const gateway = createGateway(runtime, { session, sdk });
  return {
    ...options,
    gateway,
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
