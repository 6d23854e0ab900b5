import { plainDecision, type WaitingKind } from "../../kernel/people/index.ts";
import { capability } from "../../kernel/runtime/index.ts";
import { markRows, narrowColumns } from "../../shared/text/mark-rows.ts";
import type { McpApproval } from "./approval/mcp-approvals.ts";
import type { McpLoader } from "./loader-source.ts";
import { type McpOptions, mcpOptions, openMcp } from "./open-mcp.ts";
import type { RuntimeMcp } from "./open-mcp-client.ts";

declare module "../../kernel/runtime/runtime-options.ts" {
  interface RuntimeOptions extends McpOptions {}
}

declare module "../../kernel/runtime/runtime.ts" {
  interface Runtime {
    /** MCP servers: their status, and what needs approval. */
    readonly mcp: RuntimeMcp;
  }
  interface RuntimeTools {
    /** Adds the tools of an MCP client that you have, named `mcp__<name>__<tool>`. */
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
  doctor: {
    async inRuntime({ mcp }) {
      const { findServerProblems } = await import("./check-servers.ts");
      return findServerProblems(mcp.servers());
    },
  },
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

/** MCP servers of the workspace that are not approved yet, and those that changed since. */
export function waitingServers(mcp: Pick<RuntimeMcp, "approvals" | "approve" | "deny">): WaitingKind {
  return {
    name: "mcp",
    takes: "decision",
    async list({ columns = narrowColumns } = {}) {
      return (await mcp.approvals()).map((approval) => ({
        id: approval.id,
        title: approval.kind,
        // The server's author wrote the text: none of it may act on a terminal, or pass for a line of ours.
        text: markRows((approval.diff ?? approval.text).trimEnd(), columns).join("\n"),
        mcp: approval,
      }));
    },
    async settle(id, said) {
      const { decision } = plainDecision(said, lastsUntilChanged);
      await (decision === "allow" ? mcp.approve(id) : mcp.deny(id));
    },
  };
}

const lastsUntilChanged =
  "an MCP server is approved until it changes, so its answer takes neither session nor stop";
