import type { Mode } from "../../../../kernel/policy/index.ts";
import { knownKeys, value } from "../../../../shared/options/known-keys.ts";

/** A kind of sub-agent. */
export interface AgentTemplate {
  readonly name: string;
  /** When to use it, in one line, for the model that chooses. */
  readonly description: string;
  /** Its system prompt. Default: its parent's. */
  readonly system?: string;
  /** The only tools it may use: names in any dialect, and patterns. Default: its parent's. */
  readonly tools?: readonly string[];
  /** Tools it may not use. */
  readonly disallowedTools?: readonly string[];
  /** A model's name, or `inherit`. Default: its parent's model. */
  readonly model?: string;
  readonly maxSteps?: number;
  /** Used only if stricter than its parent's. */
  readonly mode?: Mode;
  /** Which kinds it may spawn itself, and how deep. Default: none. */
  readonly agents?: { readonly allowed?: readonly string[]; readonly maxDepth?: number };
}

/** Templates that are given in code, by name. */
export type TemplateDefinitions = Readonly<Record<string, Omit<AgentTemplate, "name">>>;

export const templateKeys = knownKeys<TemplateDefinitions[string]>({
  description: value,
  system: value,
  tools: value,
  disallowedTools: value,
  model: value,
  maxSteps: value,
  mode: value,
  agents: knownKeys<NonNullable<AgentTemplate["agents"]>>({ allowed: value, maxDepth: value }),
});
