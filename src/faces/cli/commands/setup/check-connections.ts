import { listProviders } from "../../../../capabilities/agents/models/list-providers.ts";
import type { McpServerStatus } from "../../../../capabilities/mcp-client/server-launch.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import type { Finding } from "./finding.ts";

/** The MCP servers that are configured, after they were given time to connect. */
export function checkServers(servers: readonly McpServerStatus[]): Finding[] {
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

/** Which models `toolwright run` could use. Worth a warning only if the user has a key already. */
export function checkModels(environment: Readonly<Record<string, string | undefined>>): Finding[] {
  const withKey = listProviders(environment).filter(({ key }) => key !== undefined);
  if (withKey.length === 0)
    return [
      {
        check: "models",
        mark: "ok",
        found: "no key is set; for `toolwright run`, set ANTHROPIC_API_KEY or another",
      },
    ];
  return withKey.map(({ name, key, isInstalled, install }): Finding => {
    const check = `models of ${name}`;
    if (isInstalled) return { check, mark: "ok", found: `${key} is set, and the package is installed` };
    return {
      check,
      mark: "warn",
      found: `${key} is set, but the package is missing`,
      advice: `run: ${install}`,
    };
  });
}
