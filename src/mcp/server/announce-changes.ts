import type { Server } from "@modelcontextprotocol/server";
import type { Runtime } from "../../open-runtime.ts";

/** Notifies a client of changed tools for as long as it is connected. */
export function announceChanges(runtime: Runtime, server: Server): void {
  const stop = onToolsChanged(runtime, () => {
    // Not before the handshake; later, the client may have disconnected.
    if (server.getNegotiatedProtocolVersion() !== undefined) server.sendToolListChanged().catch(() => {});
  });
  const { onclose } = server;
  server.onclose = () => {
    stop();
    onclose?.();
  };
}

/** Calls the listener once for changes that come together, as when a folder of tools is loaded. */
export function onToolsChanged(runtime: Runtime, listener: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stop = runtime.tools.onChange(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      listener();
    }, gatheringMs).unref();
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

const gatheringMs = 20;
