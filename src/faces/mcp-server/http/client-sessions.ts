import { openFree } from "../../../kernel/runtime/open-free.ts";
import type { Session } from "../../../kernel/runtime/session.ts";
import type { Runtime } from "../../../open-runtime.ts";
import { defined } from "../../../shared/options/defined.ts";
import type { ServerSdk } from "../load-server-sdk.ts";
import { createMcpServerParts, type McpServerParts } from "../mcp-server-parts.ts";

/** The session of each client, opened on its first request and kept until the server stops. */
export interface ClientSessions {
  partsOf(client: string): Promise<McpServerParts>;
  /** Waits up to `graceMs` for running calls, cancels the rest, and closes the sessions. */
  close(graceMs: number): Promise<void>;
}

export interface ClientSessionsOptions {
  readonly sdk: ServerSdk;
  readonly version: string;
  /** Default: the dialect of the client's session when it was last open, and the runtime's for a new client. */
  readonly dialect?: string;
  /** The only tools that clients may use. Default: all of them. */
  readonly tools?: readonly string[];
  readonly toolsPerPage?: number;
  /** Called with the session of each client when it makes its first request. */
  readonly onClient?: (client: string, session: Session) => void;
}

export function createClientSessions(
  runtime: Runtime,
  { sdk, version, dialect, tools, toolsPerPage, onClient }: ClientSessionsOptions,
): ClientSessions {
  const opened = new Map<string, Promise<McpServerParts>>();

  const open = async (client: string): Promise<McpServerParts> => {
    const session = await openFree(runtime, { id: `mcp-${client}`, ...defined({ dialect, tools }) });
    onClient?.(client, session);
    return createMcpServerParts(runtime, {
      sdk,
      session,
      version,
      way: { transport: "http", token: client },
      pageSize: toolsPerPage,
    });
  };

  return {
    partsOf(client) {
      const known = opened.get(client) ?? open(client);
      opened.set(client, known);
      // Not cached, because the next request may succeed.
      known.catch(() => opened.delete(client));
      return known;
    },
    async close(graceMs) {
      const all = (await Promise.allSettled(opened.values())).flatMap((each) =>
        each.status === "fulfilled" ? each.value : [],
      );
      await Promise.all(all.map(({ calls }) => calls.finish(graceMs)));
      await Promise.all(all.map(({ session }) => session.close()));
    },
  };
}
