import type { Finding } from "../../kernel/runtime/index.ts";
import { countOf } from "../../shared/text/count-of.ts";
import type { McpServerStatus } from "./server-launch.ts";

/** The MCP servers that are configured, after they were given time to connect. */
export function findServerProblems(servers: readonly McpServerStatus[]): Finding[] {
  if (servers.length === 0) return [{ check: "MCP servers", mark: "ok", found: "none configured" }];
  return servers.map(checkServer);
}

function checkServer({ name, status, reason, tools }: McpServerStatus): Finding {
  const check = `MCP server ${name}`;
  const found = reason === undefined ? status : `${status}: ${reason}`;
  switch (status) {
    case "running":
      return { check, mark: "ok", found: `running, ${countOf(tools, "tool")}` };
    case "disabled":
    case "idle":
    case "closed":
      return { check, mark: "ok", found };
    case "unapproved":
      return { check, mark: "warn", found, advice: `\`toolwright approve mcp:${name}\` allows it` };
    case "connecting":
    case "unavailable":
      return { check, mark: "fail", found, advice: "its tools cannot be used until it answers" };
  }
}
