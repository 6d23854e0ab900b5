import { isPlainName, plainNameRule } from "../../../kernel/definitions/index.ts";
import { modes } from "../../../kernel/policy/index.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { describeValue } from "../../../shared/json-schema/describe-value.ts";
import { foreign, knownKeys, mapOf, value } from "../../../shared/options/known-keys.ts";
import { kinds, option, propertiesOf } from "../../../shared/options/option.ts";
import { type AgentOptions, checkModel } from "../agent-options.ts";
import { type AgentTemplate, type TemplateDefinitions, templateKeys } from "./templates/agent-template.ts";

/** Limits and settings of sub-agents. */
export interface SubAgentOptions {
  /** The model of sub-agents whose parent is not an agent but, for example, an MCP client. */
  readonly model?: AgentOptions["model"];
  /** Base URL for a model that is given by name. */
  readonly baseUrl?: string;
  /** Levels of sub-agents. Default: 1, so that sub-agents spawn none. */
  readonly maxDepth?: number;
  /** How many may run at once in a session. Default: 6. */
  readonly maxRunning?: number;
  /** The most steps of one sub-agent. Default: 50. */
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

/** Rejects templates that would otherwise fail only when an agent is spawned, or restrict nothing. */
export function checkTemplates(given: unknown): void {
  if (given === undefined) return;
  const where = "agents.templates";
  if (!isPlainObject(given)) throw wrong(where, "an object of templates by name", given);
  for (const [name, template] of Object.entries(given)) {
    if (!isPlainName(name))
      throw new TypeError(`${where}: the name ${JSON.stringify(name)} ${plainNameRule}`);
    checkFields(`${where}.${name}`, template, templateChecks);
  }
}

const templateChecks = {
  description: (where, value) => {
    if (typeof value !== "string" || value.trim() === "")
      throw wrong(where, "a string that says when to use it", value);
  },
  system: optional((value) => typeof value === "string", "a string"),
  tools: optional(isNames, "a list of names"),
  disallowedTools: optional(isNames, "a list of names"),
  model: optional((value) => typeof value === "string" && value !== "", "the name of a model"),
  maxSteps: optional((value) => isCount(value, 1), "a whole number of at least 1"),
  mode: optional((value) => modes.some((mode) => mode === value), `one of ${modes.join(", ")}`),
  agents: (where, value) => {
    if (value !== undefined) checkFields(where, value, agentChecks);
  },
} satisfies Record<keyof Omit<AgentTemplate, "name">, FieldCheck>;

const agentChecks = {
  allowed: optional(isNames, "a list of names"),
  maxDepth: optional((value) => isCount(value, 0), "a whole number of at least 0"),
} satisfies Record<keyof NonNullable<AgentTemplate["agents"]>, FieldCheck>;

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string" && name !== "");
}

function isCount(value: unknown, least: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least;
}

/** Throws a TypeError that names the field with a wrong value. */
type FieldCheck = (where: string, value: unknown) => void;

/** Checks the values; unknown fields were refused before. */
function checkFields(where: string, value: unknown, checks: Readonly<Record<string, FieldCheck>>): void {
  if (!isPlainObject(value)) throw wrong(where, "an object", value);
  for (const [name, check] of Object.entries(checks)) check(`${where}.${name}`, value[name]);
}

function optional(isRight: (value: unknown) => boolean, wanted: string): FieldCheck {
  return (where, value) => {
    if (value !== undefined && !isRight(value)) throw wrong(where, wanted, value);
  };
}

function wrong(where: string, wanted: string, value: unknown): TypeError {
  return new TypeError(`${where} must be ${wanted}; received ${describeValue(value)}`);
}
