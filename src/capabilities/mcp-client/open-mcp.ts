import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Registry } from "../../kernel/registry/index.ts";
import { mapOf, value } from "../../shared/options/known-keys.ts";
import { choice, inCode, kinds, mapValues, option } from "../../shared/options/option.ts";
import type { McpClientOptions, RuntimeMcp } from "./open-mcp-client.ts";
import { type McpServerOptions, serverKeys } from "./server-options.ts";

export interface McpOptions {
  /**
   * Servers to connect to, by name, in addition to those in `.toolwright/mcp.json`, which a person has to approve first.
   * `off` connects to none.
   */
  readonly mcpServers?: Readonly<Record<string, McpServerOptions>> | "off";
  /**
   * By default, MCP servers start with the runtime, which waits some seconds for them. `when-needed` starts each one only
   * when `runtime.mcp.ready()`, a tool search or a call needs it.
   */
  readonly mcpStart?: "at-once" | "when-needed";
}

type McpServers = Readonly<Record<string, McpServerOptions>>;

export const mcpOptions = {
  mcpServers: option<McpServers | "off", McpServers>({
    schema: {
      type: "object",
      description: "MCP servers whose tools are offered too, by name",
      additionalProperties: kinds.checkedLater,
    },
    codeSchema: { anyOf: [{ type: "object" }, { const: "off" }] },
    keys: mapOf(serverKeys, { orValue: true }),
    example: {
      files: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] },
    },
    resolve: (servers, folder) =>
      mapValues(servers, (server) => {
        const hasFolder = "cwd" in server && typeof server.cwd === "string";
        return hasFolder ? { ...server, cwd: resolve(folder, server.cwd) } : server;
      }),
  }),
  mcpStart: inCode<"at-once" | "when-needed">(value, {
    check: choice("mcpStart", ["at-once", "when-needed"]),
  }),
};

interface McpPlaces {
  readonly workspace: { readonly root: string };
  readonly stateFolder: string;
  readonly projectFolder: string;
  readonly webClient: McpClientOptions["webClient"];
}

/** Connects to the MCP servers of the options and of the workspace; loads nothing if there are none. */
export async function openMcp(
  registry: Registry,
  { workspace, stateFolder, projectFolder, webClient }: McpPlaces,
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
    // Approvals of a workspace's servers are stored even if nothing else is.
    projectPinFile: join(projectFolder, pinFileName),
    start: mcpStart,
    webClient,
  });
  // In parallel, so that only the slowest one costs time; the order of sources stays.
  await Promise.all(client.sources.map((source) => registry.addSource(source)));
  const beforeSearch = async () => {
    if (mcpStart === "when-needed") await client.ready({ signal: AbortSignal.timeout(searchWaitMs) });
  };
  return { ...client, beforeSearch };
}

interface OpenedMcp extends RuntimeMcp {
  /** Connects idle servers, so that a tool search finds their tools. */
  beforeSearch(): Promise<void>;
  close(): Promise<void>;
}

const searchWaitMs = 5_000;

const pinFileName = "mcp-pins.json";

const noServers: OpenedMcp = {
  servers: () => [],
  catalogues: () => [],
  onCatalogueChange: () => () => {},
  ready: async () => {},
  beforeSearch: async () => {},
  approvals: async () => [],
  approve: refuse,
  deny: refuse,
  close: async () => {},
};

async function refuse(): Promise<never> {
  throw new TypeError("no MCP servers are configured, so there is nothing to approve or deny");
}
