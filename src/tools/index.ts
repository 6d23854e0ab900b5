import agentRun from "../capabilities/agents/tools/agent/run.ts";
import toolSearch from "../capabilities/catalogue/tools/tool/search.ts";
import codeAnalyze from "../capabilities/code/tools/code/analyze.ts";
import codeFormat from "../capabilities/code/tools/code/format.ts";
import databaseQuery from "../capabilities/databases/tools/database/query.ts";
import databaseUpdate from "../capabilities/databases/tools/database/update.ts";
import fileCopy from "../capabilities/files/tools/file/copy.ts";
import fileDelete from "../capabilities/files/tools/file/delete.ts";
import fileEdit from "../capabilities/files/tools/file/edit.ts";
import fileGitignore from "../capabilities/files/tools/file/gitignore.ts";
import fileList from "../capabilities/files/tools/file/list.ts";
import fileMkdir from "../capabilities/files/tools/file/mkdir.ts";
import fileMove from "../capabilities/files/tools/file/move.ts";
import fileMultiEdit from "../capabilities/files/tools/file/multi-edit.ts";
import fileNotebook from "../capabilities/files/tools/file/notebook.ts";
import filePatch from "../capabilities/files/tools/file/patch.ts";
import fileRead from "../capabilities/files/tools/file/read.ts";
import fileWrite from "../capabilities/files/tools/file/write.ts";
import toolCreate from "../capabilities/made/tools/tool/create.ts";
import projectReflect from "../capabilities/notes/tools/project/reflect.ts";
import shellKill from "../capabilities/processes/tools/shell/kill.ts";
import shellOutput from "../capabilities/processes/tools/shell/output.ts";
import shellRun from "../capabilities/processes/tools/shell/run.ts";
import userAsk from "../capabilities/questions/tools/user/ask.ts";
import searchGlob from "../capabilities/search/tools/search/glob.ts";
import searchGrep from "../capabilities/search/tools/search/grep.ts";
import skillLearn from "../capabilities/skills/tools/skill/learn.ts";
import skillLoad from "../capabilities/skills/tools/skill/load.ts";
import systemEnv from "../capabilities/system/tools/system/env.ts";
import systemInfo from "../capabilities/system/tools/system/info.ts";
import taskCreate from "../capabilities/tasks/tools/task/create.ts";
import taskList from "../capabilities/tasks/tools/task/list.ts";
import taskUpdate from "../capabilities/tasks/tools/task/update.ts";
import todoRead from "../capabilities/tasks/tools/todo/read.ts";
import todoWrite from "../capabilities/tasks/tools/todo/write.ts";
import networkDownload from "../capabilities/web/tools/network/download.ts";
import networkRequest from "../capabilities/web/tools/network/request.ts";
import webFetch from "../capabilities/web/tools/web/fetch.ts";
import webSearch from "../capabilities/web/tools/web/search.ts";
import type { AnyTool } from "../tool/define-tool.ts";

/** The tools that every runtime has. */
export const builtinTools: readonly AnyTool[] = [
  fileRead,
  fileWrite,
  fileEdit,
  fileMultiEdit,
  filePatch,
  fileNotebook,
  fileList,
  fileMkdir,
  fileMove,
  fileCopy,
  fileDelete,
  fileGitignore,
  searchGlob,
  searchGrep,
  shellRun,
  shellOutput,
  shellKill,
  agentRun,
  toolSearch,
  taskCreate,
  taskList,
  taskUpdate,
  todoRead,
  todoWrite,
  skillLoad,
  skillLearn,
  toolCreate,
  projectReflect,
  userAsk,
  webFetch,
  webSearch,
  networkRequest,
  networkDownload,
  systemInfo,
  systemEnv,
  databaseQuery,
  databaseUpdate,
  codeAnalyze,
  codeFormat,
];
