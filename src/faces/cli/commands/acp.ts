import { realpath } from "node:fs/promises";
import { isatty } from "node:tty";
import { findModel } from "../../../capabilities/agents/models/find-model.ts";
import { openRuntime } from "../../../open-runtime.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { Command, Invocation } from "../command.ts";
import { asUsage } from "../open/as-usage.ts";
import { agentRuntimeOptions, readAgentOptions } from "../open/read-agent-options.ts";
import { reportClientErrors, takeStdout, whileSurviving } from "../open/serving-options.ts";
import { stopSignal } from "../terminal/stop-signal.ts";

export default {
  usage: "[config]",
  arguments: [0, 1],
  words: ["config"],
  flags: ["model", "base-url", "effort", "tools", "max-steps"],
  example: "--model anthropic/claude-sonnet-4-5",
  note: `Speaks the Agent Client Protocol over stdin and stdout until stdin ends; an editor starts it. The editor names the folder of
each session; with --workspace, only that folder and those in it. \`toolwright acp config\` prints what to put into the
settings of Zed, JetBrains IDEs and Neovim.`,
  // The client that answers the questions of a session speaks for the person.
  isForPerson: true,

  async run(invocation) {
    const { arguments: words, flags, output } = invocation;
    if (words[0] !== "config") await serveEditor(invocation);
    else await output.write(describeEditors(flags.model ?? process.env.TOOLWRIGHT_MODEL));
  },
} satisfies Command;

function serveEditor({ flags, output, readPackageVersion }: Invocation): Promise<void> {
  return whileSurviving(output, async () => {
    const stdout = takeStdout();
    const agentOptions = readAgentOptions(flags);
    if (isatty(0))
      await output.tell(
        "Waiting for an editor on stdin; usually the editor starts this command (`toolwright acp config` shows how). Press Ctrl-D to stop.",
      );
    const { serveAcp } = await import("../../acp/serve-acp.ts");
    await serveAcp({
      version: await readPackageVersion(),
      agentOptions,
      checkModel: (model) => findModel(model, agentOptions),
      listModels: async () => {
        const { listLocalModels } = await import("../../../capabilities/agents/models/list-local-models.ts");
        const local = await listLocalModels(flags["base-url"]);
        return "models" in local ? local.models.map((name) => `${local.prefix}${name}`) : [];
      },
      async findCommands(workspace) {
        const [{ readFileCommands }, { pluginCommandFolders }] = await Promise.all([
          import("../talk/slash/file-commands.ts"),
          import("../config/plugins/added-plugins.ts"),
        ]);
        return readFileCommands(workspace, await pluginCommandFolders());
      },
      async openRuntime(cwd, servers) {
        await checkInside(cwd, flags.workspace);
        const options = await agentRuntimeOptions({ ...flags, workspace: cwd });
        const named = options.mcpServers === "off" ? {} : options.mcpServers;
        return asUsage(() => openRuntime({ ...options, mcpServers: { ...servers, ...named } }));
      },
      signal: stopSignal(),
      input: process.stdin,
      output: stdout,
      onError: reportClientErrors(output),
    });
  });
}

async function checkInside(cwd: string, workspace: string | undefined): Promise<void> {
  if (workspace === undefined) return;
  const [folder, place] = await Promise.all([realpath(workspace), realpath(cwd)]);
  if (folder === place || relativeInside(folder, place) !== undefined) return;
  throw new TypeError(`${cwd} is outside ${workspace}, the only folder that toolwright acp was started for`);
}

/** The texts to put into the settings of editors, so that these start `toolwright acp`. */
function describeEditors(model = "anthropic/claude-sonnet-4-5"): string {
  return editors
    .map(({ name, where, text }) =>
      [`# ${name}: ${where}`, "# Not tried with this editor.", text(model), ""].join("\n"),
    )
    .join("\n");
}

interface Editor {
  readonly name: string;
  readonly where: string;
  text(model: string): string;
}

/** The settings of editors that are JSON. */
function agentServers(model: string, kind: { readonly type?: string } = {}): string {
  const Toolwright = { ...kind, command: "toolwright", args: ["acp", "--model", model], env: {} };
  return JSON.stringify({ agent_servers: { Toolwright } }, null, 2);
}

const editors: readonly Editor[] = [
  {
    name: "Zed",
    where: "in settings.json",
    text: (model) => agentServers(model, { type: "custom" }),
  },
  {
    name: "JetBrains IDEs",
    where: "in ~/.jetbrains/acp.json",
    text: (model) => agentServers(model),
  },
  {
    name: "Neovim with CodeCompanion",
    where: "in the plugin's setup",
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
