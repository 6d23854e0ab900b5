import type { AnyTool } from "../tool/define-tool.ts";
import agentRun from "./agent/run.ts";
import codeAnalyze from "./code/analyze.ts";
import codeFormat from "./code/format.ts";
import databaseQuery from "./database/query.ts";
import databaseUpdate from "./database/update.ts";
import fileCopy from "./file/copy.ts";
import fileDelete from "./file/delete.ts";
import fileEdit from "./file/edit.ts";
import fileGitignore from "./file/gitignore.ts";
import fileList from "./file/list.ts";
import fileMkdir from "./file/mkdir.ts";
import fileMove from "./file/move.ts";
import fileMultiEdit from "./file/multi-edit.ts";
import fileNotebook from "./file/notebook.ts";
import filePatch from "./file/patch.ts";
import fileRead from "./file/read.ts";
import fileWrite from "./file/write.ts";
import networkDownload from "./network/download.ts";
import networkRequest from "./network/request.ts";
import projectReflect from "./project/reflect.ts";
import searchGlob from "./search/glob.ts";
import searchGrep from "./search/grep.ts";
import shellKill from "./shell/kill.ts";
import shellOutput from "./shell/output.ts";
import shellRun from "./shell/run.ts";
import skillLearn from "./skill/learn.ts";
import skillLoad from "./skill/load.ts";
import systemEnv from "./system/env.ts";
import systemInfo from "./system/info.ts";
import taskCreate from "./task/create.ts";
import taskList from "./task/list.ts";
import taskUpdate from "./task/update.ts";
import todoRead from "./todo/read.ts";
import todoWrite from "./todo/write.ts";
import toolCreate from "./tool/create.ts";
import toolSearch from "./tool/search.ts";
import userAsk from "./user/ask.ts";
import webFetch from "./web/fetch.ts";
import webSearch from "./web/search.ts";

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
