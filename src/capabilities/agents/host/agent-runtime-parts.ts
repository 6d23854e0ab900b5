import type { OfferedTools, OpenRuntime, Session } from "../../../kernel/runtime/index.ts";
import type { ServiceCall } from "../../../kernel/services/index.ts";
import type { ToolFilter } from "../../../kernel/tool-search/index.ts";
import type { Deadline } from "../../../shared/deadline.ts";
import type { AgentOptions } from "../agent-options.ts";
import type { TokenMeter } from "../context/token-meter.ts";
import type { TemplateCatalogue } from "../sub-agents/templates/template-catalogue.ts";
import type { AgentHost } from "./agent-host.ts";

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

/** How one call spawns agents. */
export interface AgentUse extends Pick<ServiceCall, "caller" | "onApproval" | "onQuestion"> {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** The call's clock, which is paused while waiting for a person. */
  readonly clock: Pick<Deadline, "pause" | "resume">;
}

/** The agent that spawns a sub-agent, if it is one, and the call that does it. */
export type Parent = Partial<AgentRights> & AgentUse;

/** What agents need from the runtime they work in. */
export interface AgentRuntimeParts extends OpenRuntime, Pick<OfferedTools, "view" | "limitTools"> {
  /** The kinds of agents that may be spawned. */
  readonly templates: TemplateCatalogue;
  /** Name of the tool that spawns sub-agents. */
  readonly agentTool: string;
}

/** A session with the part that only agents use. */
export interface OpenedSession extends Session {
  /** What an agent needs of the session, with the tools it may use. */
  agentHost(rights: AgentRights): Promise<AgentHost>;
}
