import { plainDecision, type WaitingKind } from "../../kernel/people/waiting-list.ts";
import { markRows, narrowColumns } from "../../shared/text/mark-rows.ts";
import type { RuntimeMcp } from "./open-mcp-client.ts";

/** MCP servers of the workspace that are not approved yet, and those that changed since. */
export function waitingServers(mcp: Pick<RuntimeMcp, "approvals" | "approve" | "deny">): WaitingKind {
  return {
    name: "mcp",
    takes: "decision",
    async list({ columns = narrowColumns } = {}) {
      return (await mcp.approvals()).map((approval) => ({
        id: approval.id,
        title: approval.kind,
        // Their author wrote it: nothing of it may act on a terminal, or pass for a line of ours.
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
