import agentRun from "../capabilities/agents/tools/agent/run.ts";
import toolSearch from "../capabilities/catalogue/tools/tool/search.ts";
import databaseQuery from "../capabilities/databases/tools/database/query.ts";
import databaseUpdate from "../capabilities/databases/tools/database/update.ts";
import fileEdit from "../capabilities/files/tools/file/edit.ts";
import fileMultiEdit from "../capabilities/files/tools/file/multi-edit.ts";
import fileNotebook from "../capabilities/files/tools/file/notebook.ts";
import filePatch from "../capabilities/files/tools/file/patch.ts";
import fileRead from "../capabilities/files/tools/file/read.ts";
import fileWrite from "../capabilities/files/tools/file/write.ts";
import skillLoad from "../capabilities/skills/tools/skill/load.ts";
import webFetch from "../capabilities/web/tools/web/fetch.ts";
import type { SessionView } from "../tool/tool-context.ts";
import { builtinTools } from "./index.ts";

/** The built-in tools that the runtime itself has to know, by their role. */
export const builtinRoles = {
  /** Lets a model find deferred tools. */
  searchTool: toolSearch.name,
  /** Lets an agent spawn sub-agents. */
  agentTool: agentRun.name,
  /** An agent that may read a file with it may read the project's notes. */
  readTool: fileRead.name,
  /**
   * The subject of the text in parentheses of a permission rule. A rule such as `Read(secrets/**)` covers every read,
   * and `Edit(docs/**)` every change, by any tool or command.
   */
  ruleSubjects: new Map<string, "read" | "write" | "kind" | "domain">([
    [fileRead.name, "read"],
    ...[fileWrite, fileEdit, fileMultiEdit, filePatch, fileNotebook].map(
      ({ name }) => [name, "write"] as const,
    ),
    [agentRun.name, "kind"],
    [webFetch.name, "domain"],
  ]),
  /** Offered in every session, never deferred. */
  coreTools: new Set(
    builtinTools.filter(({ traits }) => traits.deferrable === false).map(({ name }) => name),
  ),
  /** Offered where a session has skills or databases: their descriptions list them for the model. */
  wantedTools: ({ skills = [], databases = [] }: SessionView) => [
    ...(skills.length > 0 ? [skillLoad.name] : []),
    ...(databases.length > 0 ? [databaseQuery.name] : []),
    ...(databases.some(({ writable }) => writable) ? [databaseUpdate.name] : []),
  ],
};
