import { capability } from "../../kernel/runtime/capability.ts";
import type { McpApproval } from "./approval/mcp-approvals.ts";
import type { McpLoader } from "./loader-source.ts";
import { type McpOptions, mcpOptions, openMcp } from "./open-mcp.ts";
import type { RuntimeMcp } from "./open-mcp-client.ts";
import { waitingServers } from "./waiting-servers.ts";

declare module "../../kernel/runtime/runtime-options.ts" {
  interface RuntimeOptions extends McpOptions {}
}

declare module "../../kernel/runtime/runtime.ts" {
  interface Runtime {
    /** MCP servers: their status, and what needs approval. */
    readonly mcp: RuntimeMcp;
  }
  interface RuntimeTools {
    /** Adds the tools of your own MCP client, named `mcp__<name>__<tool>`. */
    registerMCPLoader(name: string, loader: McpLoader): Promise<void>;
  }
}

declare module "../../kernel/people/waiting-list.ts" {
  interface WaitingItem {
    /** For an MCP server, or one of its tools. */
    readonly mcp?: McpApproval;
  }
}

/** Other MCP servers as sources of tools, resources and prompts. */
export const mcpCapability = capability({
  name: "mcp-client",
  options: mcpOptions,
  async open(runtime) {
    const { registry, options } = runtime;
    const { webClient = noWebClient } = runtime.offers;
    const mcp = await openMcp(registry, { ...runtime, webClient }, options);
    return {
      beforeSearch: mcp.beforeSearch,
      waiting: [waitingServers(mcp)],
      members: () => ({
        mcp,
        tools: {
          async registerMCPLoader(name, loader) {
            const { createLoaderSource } = await import("./loader-source.ts");
            await registry.addSource(createLoaderSource(name, loader));
          },
        },
      }),
      close: mcp.close,
    };
  },
});

async function noWebClient(): Promise<never> {
  throw new Error("this runtime does not support fetching from the web");
}
