import { foreign, knownKeys, mapOf, value } from "../../../shared/options/known-keys.ts";
import { kinds, option, propertiesOf } from "../../../shared/options/option.ts";
import { type AgentOptions, checkModel } from "../agent-options.ts";
import { type TemplateDefinitions, templateKeys } from "./templates/agent-template.ts";
import { checkFields, checkTemplates, type FieldCheck, optional } from "./templates/check-templates.ts";

/** Limits and settings of sub-agents. */
export interface SubAgentOptions {
  /** For sub-agents whose parent is not an agent but, for example, an MCP client. */
  readonly model?: AgentOptions["model"];
  /** Base URL for a model that is given by name. */
  readonly baseUrl?: string;
  /** Levels of sub-agents. Default: 1, so that sub-agents spawn none. */
  readonly maxDepth?: number;
  /** How many may run at once in a session. Default: 6. */
  readonly maxRunning?: number;
  /** At most so many steps per sub-agent. Default: 50. */
  readonly maxSteps?: number;
  /** Kinds of agents by name, in addition to those in `.toolwright/agents`. */
  readonly templates?: TemplateDefinitions;
}

export const subAgentOptions = {
  agents: option<SubAgentOptions, Omit<SubAgentOptions, "model"> & { readonly model?: string }>({
    schema: {
      type: "object",
      description: "Limits and templates for agents",
      properties: propertiesOf<SubAgentOptions>({
        model: { ...kinds.text, description: "The model of agents, such as anthropic/claude-sonnet-4-5" },
        baseUrl: { ...kinds.text, description: "Address of the model's API, if not the provider's own" },
        maxDepth: { ...kinds.count, description: "How deep agents may start agents" },
        maxRunning: { type: "integer", minimum: 1, description: "How many agents may run at once" },
        maxSteps: { type: "integer", minimum: 1, description: "Most steps the model of an agent may take" },
        templates: {
          type: "object",
          description: "Kinds of agents, by name",
          additionalProperties: kinds.checkedLater,
        },
      }),
    },
    keys: knownKeys<SubAgentOptions>({
      model: foreign,
      baseUrl: value,
      maxDepth: value,
      maxRunning: value,
      maxSteps: value,
      templates: mapOf(templateKeys),
    }),
    check: (options) => checkFields("agents", options, optionChecks),
    example: { model: "anthropic/claude-sonnet-4-5", maxRunning: 4 },
  }),
};

export const defaultSubAgentLimits = { maxDepth: 1, maxRunning: 6, maxSteps: 50 } as const;

const optionChecks = {
  model: (_where, value) => {
    if (value !== undefined) checkModel(value);
  },
  baseUrl: optional((value) => typeof value === "string", "a string"),
  maxDepth: atLeast(0),
  maxRunning: atLeast(1),
  maxSteps: atLeast(1),
  templates: (_where, value) => checkTemplates(value),
} satisfies Record<keyof SubAgentOptions, FieldCheck>;

function atLeast(least: number): FieldCheck {
  return optional((value) => typeof value === "number" && value >= least, `a number of at least ${least}`);
}
