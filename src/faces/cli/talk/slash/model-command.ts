import { ModelError } from "../../../../capabilities/agents/index.ts";
import { findModel } from "../../../../capabilities/agents/models/find-model.ts";
import { listLocalModels } from "../../../../capabilities/agents/models/list-local-models.ts";
import { listProviders } from "../../../../capabilities/agents/models/list-providers.ts";
import { describeProvider, missingKey } from "../../display/describe-provider.ts";
import type { SlashCommand, Talk } from "../talk.ts";
import type { TalkChoice } from "../talk-view.ts";

export const modelCommand: SlashCommand = {
  name: "model",
  usage: "[name]",
  about: "Choose another model; the conversation goes on",
  async run(talk, name) {
    const chosen = name === "" ? await chooseModel(talk) : name;
    if (chosen === undefined) return;
    if (chosen.endsWith("/")) return askForName(talk, chosen);
    try {
      await findModel(chosen, talk.agent.modelPlace(chosen));
    } catch (error) {
      // A package that is missing can be installed when the model is used.
      if (!(error instanceof ModelError && error.install !== undefined)) throw error;
    }
    talk.agent.setModel(chosen);
    talk.view.tell(`model: ${chosen}`);
  },
};

/** Offers the models whose names are known, and the providers, whose models have to be named. */
async function chooseModel({ view, agent: { model, baseUrl } }: Talk): Promise<string | undefined> {
  const local = await listLocalModels(baseUrl);
  const served = "models" in local ? local.models.map((name) => `${local.prefix}${name}`) : [];
  const about = new Map(served.map((name) => [name, `at ${local.url}`]));
  const usual = process.env.TOOLWRIGHT_MODEL;
  if (usual) about.set(usual, "TOOLWRIGHT_MODEL");
  if (model !== undefined) about.set(model, "in use");
  const named = [...about].map(([value, says]): TalkChoice => ({ value, label: value, about: says }));
  const providers = listProviders(process.env).map((provider): TalkChoice => {
    const isSilent = provider.name === "ollama" && baseUrl === undefined && !("models" in local);
    const says = isSilent ? `nothing answers at ${local.url}` : describeProvider(provider);
    return { value: `${provider.name}/`, label: `${provider.name}/…`, about: says };
  });
  return view.choose(model === undefined ? "Which model?" : `The model is ${model}`, [
    ...named,
    ...providers,
  ]);
}

function askForName({ view }: Talk, prefix: string): void {
  const provider = listProviders(process.env).find(({ name }) => `${name}/` === prefix);
  const missing = provider && missingKey(provider);
  if (missing !== undefined)
    return void view.tell(`${prefix}… needs: ${missing} before toolwright is started`, "problem");
  view.tell(`type the name of the model after ${prefix}`);
  view.fillEditor(`/model ${prefix}`);
}
