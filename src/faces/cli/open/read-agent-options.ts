import type { SessionAgentOptions } from "../../../capabilities/agents/open-agent.ts";
import { type FlagValues, flags as flagTable } from "../flags.ts";
import { readPositiveInteger } from "../read-positive-integer.ts";
import { readToolsFlag } from "../read-tools-flag.ts";
import { UsageError } from "../usage-error.ts";

export type NamedModel = SessionAgentOptions & { readonly model: string };

/** The agent that the flags describe, its model included. */
export function readAgentOptions(flags: FlagValues): NamedModel {
  return { model: modelFrom(flags), ...readAgentFlags(flags) };
}

/** The agent that the flags describe, without its model, which the person in a conversation can choose later. */
export function readAgentFlags(flags: FlagValues): Omit<NamedModel, "model" | "session"> {
  const maxSteps = readPositiveInteger("--max-steps", flags["max-steps"]);
  const { "base-url": baseUrl, tools } = flags;
  return {
    projectNotes: true,
    summarize: true,
    ...(flags.effort !== undefined && { reasoning: effortFrom(flags.effort) }),
    ...(maxSteps && { maxSteps }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(tools !== undefined && { tools: readToolsFlag(tools) }),
  };
}

function effortFrom(given: string): Effort {
  const known = flagTable.effort.choices.find((each) => each === given);
  if (known !== undefined) return known;
  throw new UsageError(
    `--effort must be one of ${flagTable.effort.choices.join(", ")}; received ${JSON.stringify(given)}`,
  );
}

type Effort = (typeof flagTable.effort.choices)[number];

function modelFrom(flags: FlagValues): string {
  const name = flags.model ?? process.env.TOOLWRIGHT_MODEL;
  if (name !== undefined && name !== "") return name;
  throw new UsageError(
    "no model given; use --model with anthropic/<model>, openai/<model>, google/<model> or ollama/<model>, or set TOOLWRIGHT_MODEL",
  );
}
