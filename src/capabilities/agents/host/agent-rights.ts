import type { ToolFilter } from "../../../kernel/tool-search/tool-filter.ts";
import type { AgentOptions } from "../agent-options.ts";
import type { AgentUse } from "../agents-service.ts";
import type { TokenMeter } from "../context/token-meter.ts";

/** What an agent may do in a session. */
export interface AgentRights {
  readonly options: AgentOptions;
  /** The only tools it may use. Default: all of them. */
  readonly allows?: ToolFilter | undefined;
  /**
   * The tools that its model is offered, if more than it may use: then a sub-agent's prompts begin like its parent's, and
   * the provider can serve that beginning from its cache.
   */
  readonly offers?: ToolFilter | undefined;
  /** The parent's meter, for a sub-agent. */
  readonly meter?: TokenMeter | undefined;
  readonly cacheKey?: string | undefined;
}

/** The agent that spawns a sub-agent, if it is one, and the call that does it. */
export type Parent = Partial<AgentRights> & AgentUse;
