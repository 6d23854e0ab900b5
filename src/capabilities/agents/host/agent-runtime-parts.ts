import type { OpenRuntime } from "../../../kernel/runtime/opening.ts";
import type { OfferedTools } from "../../../kernel/runtime/session/opening-session.ts";
import type { Session } from "../../../kernel/runtime/session.ts";
import type { TemplateCatalogue } from "../sub-agents/templates/template-catalogue.ts";
import type { AgentHost } from "./agent-host.ts";
import type { AgentRights } from "./agent-rights.ts";

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
