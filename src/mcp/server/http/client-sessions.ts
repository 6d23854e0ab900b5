import type { Runtime } from "../../../open-runtime.ts";
import type { ServerSdk } from "../load-server-sdk.ts";
import { createMcpServerParts, type McpServerParts } from "../mcp-server-parts.ts";

/** The session of each client, opened when it first comes and kept until the server stops. */
export interface ClientSessions {
  partsOf(client: string): Promise<McpServerParts>;
  /** Lets calls go on as long as they may, cancels the rest, and closes the sessions. */
  close(graceMs: number): Promise<void>;
}

export function createClientSessions(
  runtime: Runtime,
  { sdk, version, toolsPerPage }: { sdk: ServerSdk; version: string; toolsPerPage?: number },
): ClientSessions {
  const opened = new Map<string, Promise<McpServerParts>>();

  const open = async (client: string): Promise<McpServerParts> => {
    const session = await runtime.openSession({ id: `mcp-${client}` });
    return createMcpServerParts(runtime, {
      sdk,
      session,
      version,
      way: { transport: "http", token: client },
      ...(toolsPerPage !== undefined && { pageSize: toolsPerPage }),
    });
  };

  return {
    partsOf(client) {
      const known = opened.get(client) ?? open(client);
      opened.set(client, known);
      // The next request may find that the store can be reached again.
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
