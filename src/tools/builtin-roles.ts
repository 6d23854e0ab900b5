import type { SessionView } from "../tool/tool-context.ts";
import agentRun from "./agent/run.ts";
import { builtinTools } from "./index.ts";
import skillLoad from "./skill/load.ts";
import toolSearch from "./tool/search.ts";

/** The built-in tools that the runtime itself has to know, by their role. */
export const builtinRoles = {
  /** Lets a model find deferred tools. */
  searchTool: toolSearch.name,
  /** Lets an agent spawn sub-agents. */
  agentTool: agentRun.name,
  /** Offered in every session, never deferred. */
  coreTools: new Set(
    builtinTools.filter(({ traits }) => traits.deferrable === false).map(({ name }) => name),
  ),
  /** Offered where a session has skills: its description lists them for the model. */
  wantedTools: ({ skills = [] }: SessionView) => (skills.length > 0 ? [skillLoad.name] : []),
};
