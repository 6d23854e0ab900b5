/** What to put into an editor's settings, so that it starts `toolwright acp`. */
export function describeEditors(model = "anthropic/claude-sonnet-4-5"): string {
  return editors
    .map(({ name, where, tried, text }) =>
      [`# ${name}: ${where}`, `# ${tried ? "Tried." : "Not tried with this editor."}`, text(model), ""].join(
        "\n",
      ),
    )
    .join("\n");
}

interface Editor {
  readonly name: string;
  readonly where: string;
  readonly tried: boolean;
  text(model: string): string;
}

const start = (model: string) => ({ command: "toolwright", args: ["acp", "--model", model] });

const editors: readonly Editor[] = [
  {
    name: "Zed",
    where: "in settings.json",
    tried: false,
    text: (model) =>
      JSON.stringify(
        { agent_servers: { Toolwright: { type: "custom", ...start(model), env: {} } } },
        null,
        2,
      ),
  },
  {
    name: "JetBrains IDEs",
    where: "in ~/.jetbrains/acp.json",
    tried: false,
    text: (model) => JSON.stringify({ agent_servers: { Toolwright: { ...start(model), env: {} } } }, null, 2),
  },
  {
    name: "Neovim with CodeCompanion",
    where: "in the plugin's setup",
    tried: false,
    text: (model) => `require("codecompanion").setup({
  adapters = {
    acp = {
      toolwright = function()
        local helpers = require("codecompanion.adapters.acp.helpers")
        return {
          name = "toolwright",
          formatted_name = "Toolwright",
          type = "acp",
          roles = { llm = "assistant", user = "user" },
          commands = { default = { "toolwright", "acp", "--model", ${JSON.stringify(model)} } },
          defaults = { mcpServers = {}, timeout = 20000 },
          parameters = {
            protocolVersion = 1,
            clientCapabilities = { fs = { readTextFile = false, writeTextFile = false } },
            clientInfo = { name = "CodeCompanion.nvim", version = "1.0.0" },
          },
          handlers = {
            setup = function() return true end,
            form_messages = function(self, messages, capabilities)
              return helpers.form_messages(self, messages, capabilities)
            end,
            on_exit = function() end,
          },
        }
      end,
    },
  },
  strategies = { chat = { adapter = "toolwright" } },
})`,
  },
];
