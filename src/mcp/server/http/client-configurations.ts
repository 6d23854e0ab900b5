/** A client's configuration for this server, ready to paste. */
export interface ClientConfiguration {
  readonly client: string;
  /** Where to paste the text. */
  readonly place: string;
  readonly text: string;
}

export function clientConfigurations({
  url,
  token,
  command,
}: {
  url: string;
  token: string;
  /** Starts the same server over stdio, for clients that support nothing else. */
  command: readonly string[];
}): readonly ClientConfiguration[] {
  const headers = { Authorization: `Bearer ${token}` };
  const [program = "", ...words] = command;
  return [
    {
      client: "Claude Code",
      place: "run once",
      text: `claude mcp add --transport http toolwright ${url} --header "Authorization: Bearer ${token}"`,
    },
    {
      client: "Claude Desktop",
      place: "claude_desktop_config.json (starts its own server)",
      text: json({ mcpServers: { toolwright: { command: program, args: words } } }),
    },
    {
      client: "Cursor",
      place: "~/.cursor/mcp.json",
      text: json({ mcpServers: { toolwright: { url, headers } } }),
    },
    {
      client: "VS Code",
      place: ".vscode/mcp.json",
      text: json({ servers: { toolwright: { type: "http", url, headers } } }),
    },
    {
      client: "Codex",
      place: "~/.codex/config.toml",
      // A JSON string of plain characters is a TOML string too.
      text: [
        "[mcp_servers.toolwright]",
        `url = ${JSON.stringify(url)}`,
        `http_headers = { "Authorization" = ${JSON.stringify(headers.Authorization)} }`,
      ].join("\n"),
    },
  ];
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
