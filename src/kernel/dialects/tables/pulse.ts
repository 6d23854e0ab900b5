import type { Dialect } from "../dialect.ts";

const filePath = {
  name: "filePath",
  description: "The absolute path of the file, or one relative to the workspace",
};

/** Pulse: short lower-case names, parameters in camel case, output cut in the middle, half and half. */
export const pulse: Dialect = {
  name: "pulse",
  pathPolicy: "any",
  output: { maxCharacters: 30_000, headShare: 0.5 },
  // `mcp_{server}_{tool}`
  offersAliasOf: ["mcp"],
  tools: {
    file_read: {
      name: "read",
      params: {
        path: filePath,
        offset: { countsFrom: 0, description: "The line to start at, counted from 0" },
        encoding: null,
      },
      metadata: { type: "read" },
    },
    file_write: {
      name: "write",
      params: { path: { name: "filePath", description: "The absolute path of the file" }, encoding: null },
      result: { success: { value: true }, created: "created", bytes: "sizeBytes", path: "path" },
      metadata: { type: "write" },
    },
    file_edit: {
      name: "edit",
      params: {
        path: filePath,
        old_string: { name: "oldString" },
        new_string: { name: "newString" },
        replace_all: { name: "replaceAll" },
        encoding: null,
      },
      result: { success: { value: true }, path: "path", replacements: "replacements", preview: "diff" },
      metadata: { type: "write" },
    },
    search_grep: {
      name: "grep",
      params: {
        output_mode: { name: "outputMode", default: "files_with_matches" },
        case_insensitive: { name: "caseInsensitive" },
        head_limit: { name: "headLimit", default: 0 },
        include_ignored: null,
        literal: null,
      },
      metadata: { type: "search" },
    },
    file_list: {
      name: "ls",
      params: { recursive: null },
      result: { path: "path", files: { list: "entries", item: "path" }, truncated: "truncated" },
      metadata: { type: "read" },
    },
    shell_run: {
      name: "bash",
      params: { timeout: { default: 120_000 } },
      result: {
        output: "stdout",
        error: "stderr",
        exitCode: "exitCode",
        signal: "signal",
        job: "started.id",
      },
      metadata: { type: "execute" },
    },
    web_search: {
      name: "tavily",
      params: { max_results: { name: "maxResults", default: 5 } },
      metadata: { type: "search" },
    },
    user_ask: {
      name: "clarify",
      params: { default: { name: "defaultAnswer" }, choices: null },
      metadata: { type: "other" },
    },
  },
};
