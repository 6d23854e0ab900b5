import type { Server } from "@modelcontextprotocol/server";
import type { Runtime } from "../../open-runtime.ts";

/** Notifies a client of changes for as long as it is connected. */
export function announceChanges(runtime: Runtime, server: Server): void {
  const announce = (send: () => Promise<void>) => {
    // Not before the handshake; later, the client may have disconnected.
    if (server.getNegotiatedProtocolVersion() !== undefined) send().catch(() => {});
  };
  const stop = onChanges(runtime, {
    tools: () => announce(() => server.sendToolListChanged()),
    catalogue() {
      announce(() => server.sendResourceListChanged());
      announce(() => server.sendPromptListChanged());
    },
  });
  const { onclose } = server;
  server.onclose = () => {
    stop();
    onclose?.();
  };
}

/** Listens to changed tools, and behind a gateway to changed resources and prompts. */
export function onChanges(
  { tools, mcp }: Pick<Runtime, "tools" | "mcp">,
  listeners: { readonly tools: () => void; readonly catalogue: () => void },
): () => void {
  const stops = [gathered(tools.onChange, listeners.tools)];
  if (mcp.servers().length > 0) stops.push(gathered(mcp.onCatalogueChange, listeners.catalogue));
  return () => {
    for (const stop of stops) stop();
  };
}

/** Calls the listener once for changes that come together, as when a folder of tools is loaded. */
function gathered(subscribe: (listener: () => void) => () => void, listener: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stop = subscribe(() => {
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
