import { listLocalModels } from "../../../../capabilities/agents/models/list-local-models.ts";
import { listProviders } from "../../../../capabilities/agents/models/list-providers.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import type { Command } from "../../command.ts";
import { describeProvider } from "../../display/describe-provider.ts";
import { formatColumns } from "../../display/format-columns.ts";

export default {
  flags: ["base-url"],
  note: "Shows which providers of models are set up, which key or package the others need, and the models of the Ollama server on this machine, or of the server at --base-url. No key is sent anywhere.",

  async run({ flags, output }) {
    const providers = listProviders(process.env);
    const local = await listLocalModels(flags["base-url"]);
    const chosen = process.env.TOOLWRIGHT_MODEL;
    if (flags.json) return void (await output.writeJson({ default: chosen, providers, local }));
    const rows = providers.map((provider) => [`${provider.name}/…`, describeProvider(provider)]);
    await output.write(`${await formatColumns(rows)}\n`);
    const found = "models" in local ? local.models.map((name) => `  ${local.prefix}${escapeLine(name)}`) : [];
    const heading =
      "models" in local
        ? `${found.length === 0 ? "No models" : "Models"} at ${local.url}${found.length === 0 ? "" : ":"}`
        : `Nothing answers at ${local.url}: ${escapeLine(local.problem)}`;
    await output.write(`\n${[heading, ...found].join("\n")}\n`);
    if (chosen) await output.write(`\nTOOLWRIGHT_MODEL is ${escapeLine(chosen)}.\n`);
  },
} satisfies Command;
