import type { Mode } from "../../../runtime/policy/decide.ts";

/** A kind of agent that others may spawn with work. */
export interface AgentTemplate {
  readonly name: string;
  /** When to send it off, for the model that chooses; one line. */
  readonly description: string;
  /** What it is told first. Absent: the same as its parent. */
  readonly system?: string;
  /** The only tools it may use, names in any dialect and patterns; absent: those of its parent. */
  readonly tools?: readonly string[];
  /** Tools it may not use. */
  readonly disallowedTools?: readonly string[];
  /** A model's name; absent or `inherit`: its parent's. */
  readonly model?: string;
  readonly maxSteps?: number;
  /** No looser than its parent's. */
  readonly mode?: Mode;
  /** Which kinds it may spawn itself, and how deep; none unless told. */
  readonly agents?: { readonly allowed?: readonly string[]; readonly maxDepth?: number };
}

/** Templates as they are given in code, by their names. */
export type TemplateDefinitions = Readonly<Record<string, Omit<AgentTemplate, "name">>>;
