import { isPlainName, plainNameRule } from "../../../../kernel/definitions/is-plain-name.ts";
import { modes } from "../../../../kernel/policy/decide.ts";
import { isPlainObject } from "../../../../shared/json.ts";
import { describeValue } from "../../../../shared/json-schema/describe-value.ts";
import type { AgentTemplate } from "./agent-template.ts";

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
export type FieldCheck = (where: string, value: unknown) => void;

/** Checks the values; unknown fields were refused before. */
export function checkFields(
  where: string,
  value: unknown,
  checks: Readonly<Record<string, FieldCheck>>,
): void {
  if (!isPlainObject(value)) throw wrong(where, "an object", value);
  for (const [name, check] of Object.entries(checks)) check(`${where}.${name}`, value[name]);
}

export function optional(isRight: (value: unknown) => boolean, wanted: string): FieldCheck {
  return (where, value) => {
    if (value !== undefined && !isRight(value)) throw wrong(where, wanted, value);
  };
}

function wrong(where: string, wanted: string, value: unknown): TypeError {
  return new TypeError(`${where} must be ${wanted}; received ${describeValue(value)}`);
}
