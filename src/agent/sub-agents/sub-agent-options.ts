import type { AgentOptions } from "../agent-options.ts";
import { checkModel, checkNumber } from "../agent-options.ts";
import type { AgentTemplate } from "./agent-template.ts";
import { checkTemplates } from "./check-templates.ts";

/** How agents may send off others. */
export interface SubAgentOptions extends Partial<Pick<AgentOptions, "model" | "baseUrl">> {
  /**
   * How many may stand below each other. 1 unless told: those that were sent off send off none. The `model` is for those
   * that are sent off by something else than an agent, such as an MCP client.
   */
  readonly maxDepth?: number;
  /** How many work at once for one session; 6 unless told. */
  readonly maxRunning?: number;
  /** How many times the model of one is asked at most; 50 unless told. */
  readonly maxSteps?: number;
  /** Kinds of agents, by their names. Those in `.toolwright/agents` come besides. */
  readonly templates?: Readonly<Record<string, Omit<AgentTemplate, "name">>>;
}

export const defaultSubAgentLimits = { maxDepth: 1, maxRunning: 6, maxSteps: 50 } as const;

const knownOptions = ["model", "baseUrl", "maxDepth", "maxRunning", "maxSteps", "templates"];

export function checkSubAgentOptions(options: SubAgentOptions): void {
  for (const key of Object.keys(options)) {
    if (!knownOptions.includes(key))
      throw new TypeError(
        `agents: there is no option ${JSON.stringify(key)}; known are ${knownOptions.join(", ")}`,
      );
  }
  if (options.model !== undefined) checkModel(options.model);
  checkNumber("agents.maxDepth", options.maxDepth, 0);
  checkNumber("agents.maxRunning", options.maxRunning, 1);
  checkNumber("agents.maxSteps", options.maxSteps, 1);
  checkTemplates(options.templates ?? {});
}
