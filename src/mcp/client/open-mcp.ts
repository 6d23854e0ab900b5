import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Registry } from "../../runtime/registry/registry.ts";
import type { RuntimeMcp } from "./open-mcp-client.ts";
import type { McpServerOptions } from "./server-options.ts";

export interface McpOptions {
  /**
   * Servers to connect to, by name; those of `.toolwright/mcp.json` come besides, each once a person has approved it.
   * `off` connects to none.
   */
  readonly mcpServers?: Readonly<Record<string, McpServerOptions>> | "off";
  /**
   * By default MCP servers are started with the runtime, and waited for for some seconds. `when-needed` starts each of
   * them only when `runtime.mcp.ready()`, a search for tools or a call asks for it.
   */
  readonly mcpStart?: "at-once" | "when-needed";
}

interface McpPlaces {
  readonly workspace: { readonly root: string };
  readonly stateFolder: string;
  readonly projectFolder: string;
}

/** Connects to the MCP servers of the options and of the workspace; nothing is loaded where there are none. */
export async function openMcp(
  registry: Registry,
  { workspace, stateFolder, projectFolder }: McpPlaces,
  { mcpServers = {}, mcpStart = "at-once" }: McpOptions,
): Promise<OpenedMcp> {
  if (mcpServers === "off") return noServers;
  const pinFile = join(stateFolder, pinFileName);
  const files = [join(workspace.root, ".toolwright", "mcp.json"), pinFile];
  const found = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
  if (Object.keys(mcpServers).length === 0 && found.every((each) => each === undefined)) return noServers;
  const { openMcpClient } = await import("./open-mcp-client.ts");
  const client = await openMcpClient({
    servers: mcpServers,
    workspace: workspace.root,
    pinFile,
    // What a person approved of a workspace counts also where nothing else is kept.
    projectPinFile: join(projectFolder, pinFileName),
    start: mcpStart,
  });
  // Side by side: the slowest one decides how long it takes, and their order stays.
  await Promise.all(client.sources.map((source) => registry.addSource(source)));
  const beforeSearch = async () => {
    if (mcpStart === "when-needed") await client.ready({ signal: AbortSignal.timeout(searchWaitMs) });
  };
  return { ...client, beforeSearch };
}

interface OpenedMcp extends RuntimeMcp {
  /** Lets a search find the tools of servers that nobody has needed so far. */
  beforeSearch(): Promise<void>;
  close(): Promise<void>;
}

const searchWaitMs = 5_000;

const pinFileName = "mcp-pins.json";

const noServers: OpenedMcp = {
  servers: () => [],
  ready: async () => {},
  beforeSearch: async () => {},
  approvals: async () => [],
  approve: refuse,
  deny: refuse,
  close: async () => {},
};

async function refuse(): Promise<never> {
  throw new TypeError("there are no MCP servers here");
}
