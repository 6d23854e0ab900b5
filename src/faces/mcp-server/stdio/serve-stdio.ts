import { once } from "node:events";
import type { Server } from "@modelcontextprotocol/server";
import type { Runtime } from "../../../open-runtime.ts";
import { defined } from "../../../shared/options/defined.ts";
import { announceChanges } from "../announce-changes.ts";
import { createMcpServer } from "../create-mcp-server.ts";
import { loadServerSdk } from "../load-server-sdk.ts";
import { createMcpServerParts } from "../mcp-server-parts.ts";
import { createServerStdioTransport, type StdioStreams } from "./server-stdio-transport.ts";

export interface StdioOptions extends StdioStreams {
  readonly version: string;
  /** Resumes this session. Default: a new one for each process. */
  readonly sessionId?: string;
  /** Default: that of the session if it is resumed, and the runtime's otherwise. */
  readonly dialect?: string;
  /** The only tools that the client may use. Default: all of them. */
  readonly tools?: readonly string[];
  /** Stops the server, like the end of its input. */
  readonly signal: AbortSignal;
  /** How long running calls may take once the server stops. */
  readonly graceMs?: number;
  readonly onError?: (error: Error) => void;
}

/** Serves one client until it disconnects; running calls are then finished or cancelled, answered and recorded. */
export async function serveStdio(runtime: Runtime, options: StdioOptions): Promise<void> {
  const { version, sessionId, dialect, tools, signal, graceMs = defaultGraceMs, onError } = options;
  const sdk = await loadServerSdk();
  const stdio = await import("@modelcontextprotocol/server/stdio");
  const session = await runtime.openSession({
    ...defined({ id: sessionId, dialect, tools }),
  });
  const parts = createMcpServerParts(runtime, { sdk, session, version, way: { transport: "stdio" } });
  const transport = createServerStdioTransport(options, sdk);
  const createServer = (): Server => {
    const server = createMcpServer(parts);
    announceChanges(runtime, server);
    return server;
  };
  const serving = stdio.serveStdio(createServer, { transport, ...(onError && { onerror: onError }) });
  if (!signal.aborted) await Promise.race([transport.ended, once(signal, "abort")]);
  await parts.calls.finish(graceMs);
  await session.close();
  await transport.answered();
  await serving.close();
}

const defaultGraceMs = 2000;
