import { type AgentOptions, checkModel } from "../agent-options.ts";
import type { TemplateDefinitions } from "./templates/agent-template.ts";
import { checkFields, type FieldCheck, optional } from "./templates/check-fields.ts";
import { checkTemplates } from "./templates/check-templates.ts";

/** How agents may spawn others. */
export interface SubAgentOptions {
  /** For sub-agents by something else than an agent, such as an MCP client. */
  readonly model?: AgentOptions["model"];
  /** Where a model that is given by name is reached. */
  readonly baseUrl?: string;
  /** How many may stand below each other. 1 unless told: sub-agents spawn none. */
  readonly maxDepth?: number;
  /** How many work at once for one session; 6 unless told. */
  readonly maxRunning?: number;
  /** How many times the model of one is asked at most; 50 unless told. */
  readonly maxSteps?: number;
  /** Kinds of agents, by their names. Those in `.toolwright/agents` come besides. */
  readonly templates?: TemplateDefinitions;
}

export const defaultSubAgentLimits = { maxDepth: 1, maxRunning: 6, maxSteps: 50 } as const;

export function checkSubAgentOptions(options: unknown): void {
  checkFields("agents", options, optionChecks);
}

const optionChecks = {
  model: (_where, value) => {
    if (value !== undefined) checkModel(value);
  },
  baseUrl: optional((value) => typeof value === "string", "a text"),
  maxDepth: atLeast(0),
  maxRunning: atLeast(1),
  maxSteps: atLeast(1),
  templates: (_where, value) => checkTemplates(value),
} satisfies Record<keyof SubAgentOptions, FieldCheck>;

function atLeast(least: number): FieldCheck {
  return optional((value) => typeof value === "number" && value >= least, `a number of at least ${least}`);
}
