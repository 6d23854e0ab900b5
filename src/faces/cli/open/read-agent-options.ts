import type { SessionAgentOptions } from "../../../capabilities/agents/index.ts";
import { modelKeys } from "../../../capabilities/agents/models/find-model.ts";
import type { RuntimeOptions } from "../../../kernel/runtime/index.ts";
import { defined } from "../../../shared/options/defined.ts";
import { UsageError } from "../command.ts";
import { type FlagValues, flags as flagTable } from "../flags.ts";
import { readChoice, readPositiveInteger, readToolsFlag } from "../read-values.ts";
import { optionsFromFlags } from "./options-from-flags.ts";

export type NamedModel = SessionAgentOptions & { readonly model: string };

/** The runtime's options for an agent, from whose calls the keys of models are kept secret. */
export async function agentRuntimeOptions(flags: FlagValues): Promise<RuntimeOptions> {
  const options = await optionsFromFlags(flags);
  return { ...options, secrets: [...(options.secrets ?? []), ...modelKeys(process.env)] };
}

/** The agent that the flags describe, its model included. */
export function readAgentOptions(flags: FlagValues): NamedModel {
  return { model: modelFrom(flags), ...readAgentFlags(flags) };
}

/** The agent that the flags describe, without its model, which the person in a conversation can choose later. */
export function readAgentFlags(flags: FlagValues): Omit<NamedModel, "model" | "session"> {
  const maxSteps = readPositiveInteger("--max-steps", flags["max-steps"]);
  const reasoning = readChoice("--effort", flags.effort, flagTable.effort.choices);
  const { "base-url": baseUrl, tools } = flags;
  return {
    projectNotes: true,
    summarize: true,
    ...defined({ reasoning, maxSteps, baseUrl, tools: readToolsFlag(tools) }),
  };
}

function modelFrom(flags: FlagValues): string {
  const name = flags.model ?? process.env.TOOLWRIGHT_MODEL;
  if (name !== undefined && name !== "") return name;
  throw new UsageError(
    "no model given; use --model with anthropic/<model>, openai/<model>, google/<model> or ollama/<model>, or set TOOLWRIGHT_MODEL",
  );
}
