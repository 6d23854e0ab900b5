import type { AgentUse } from "../runtime/services/agents/agents-service.ts";
import type { ToolFilter } from "../runtime/tool-search/tool-filter.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { TokenMeter } from "./context/token-meter.ts";

/** What an agent may do in a session. */
export interface AgentRights {
  readonly options: AgentOptions;
  /** The only tools it may use; all of them unless told. */
  readonly allows?: ToolFilter;
  /**
   * The tools that its model is offered, where that is more: a sub-agent then begins its prompts as its parent
   * does, and a provider that keeps those need not read them again.
   */
  readonly offers?: ToolFilter;
  /** Of an agent that another one has spawned. */
  readonly meter?: TokenMeter;
  readonly cacheKey?: string;
}

/** Who spawns an agent, as far as that is an agent, and with which call. */
export type Parent = Partial<AgentRights> & AgentUse;
