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
  const [program = "", ...words] = command;
  const by = (reference: string) => ({ Authorization: `Bearer ${reference}` });
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
      place: `~/.cursor/mcp.json, with ${tokenVariable} set`,
      text: json({ mcpServers: { toolwright: { url, headers: by(`\${env:${tokenVariable}}`) } } }),
    },
    {
      client: "VS Code",
      place: ".vscode/mcp.json; it asks for the token once",
      text: json({
        inputs: [
          {
            type: "promptString",
            id: "toolwright-token",
            description: "Token of toolwright",
            password: true,
          },
        ],
        // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code replaces it.
        servers: { toolwright: { type: "http", url, headers: by("${input:toolwright-token}") } },
      }),
    },
    {
      client: "Codex",
      place: `~/.codex/config.toml, with ${tokenVariable} set`,
      // A JSON string of plain characters is a TOML string too.
      text: [
        "[mcp_servers.toolwright]",
        `url = ${JSON.stringify(url)}`,
        `bearer_token_env_var = ${JSON.stringify(tokenVariable)}`,
      ].join("\n"),
    },
    {
      client: "Gemini CLI",
      place: `~/.gemini/settings.json, with ${tokenVariable} set`,
      text: json({ mcpServers: { toolwright: { httpUrl: url, headers: by(`\${${tokenVariable}}`) } } }),
    },
    {
      client: "opencode",
      place: `opencode.json, with ${tokenVariable} set; version 1 has no "servers" around it`,
      text: json({
        $schema: "https://opencode.ai/config.json",
        mcp: {
          servers: { toolwright: { type: "remote", url, headers: by(`{env:${tokenVariable}}`) } },
        },
      }),
    },
  ];
}

/** Clients that can take the token from the environment do: their files are often committed or shared. */
export const tokenVariable = "TOOLWRIGHT_TOKEN";

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
