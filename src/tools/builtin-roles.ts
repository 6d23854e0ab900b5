import type { SessionView } from "../tool/tool-context.ts";
import agentRun from "./agent/run.ts";
import { builtinTools } from "./index.ts";
import skillLoad from "./skill/load.ts";
import toolSearch from "./tool/search.ts";

/** Which of the built-in tools the runtime has to know, by what they are for. */
export const builtinRoles = {
  /** By which a model searches for tools that it is not offered. */
  searchTool: toolSearch.name,
  /** By which an agent spawns others. */
  agentTool: agentRun.name,
  /** Offered in every session. */
  coreTools: new Set(
    builtinTools.filter(({ traits }) => traits.deferrable === false).map(({ name }) => name),
  ),
  /** Offered where a session has skills: its description is where a model learns of them. */
  wantedTools: ({ skills = [] }: SessionView) => (skills.length > 0 ? [skillLoad.name] : []),
};
