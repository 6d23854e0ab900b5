import type { Dialect } from "./dialect.ts";

/** Tools named `internal_{group}_{action}`, after their folder and file. */
export const internal: Dialect = {
  name: "internal",
  pathPolicy: "any",
  prefixes: { folder: "internal_" },
  // `mcp_{server}_{tool}`
  offersAliasOf: ["mcp"],
  output: { maxCharacters: 30_000, headShare: 0.8 },
  messages: { failed: "操作失败: {message}", unknownTool: "未知的工具: {name}" },
  tools: {
    file_read: { name: "internal_file_read", params: { encoding: null } },
    file_list: { name: "internal_file_list" },
    file_write: { name: "internal_file_write", params: { encoding: null } },
    file_edit: { name: "internal_file_edit", params: { encoding: null } },
    file_multi_edit: { name: "internal_file_multi_edit" },
    file_patch: { name: "internal_file_patch" },
    file_mkdir: { name: "internal_file_mkdir" },
    file_move: { name: "internal_file_move" },
    file_copy: { name: "internal_file_copy" },
    file_delete: { name: "internal_file_delete" },
    file_gitignore: { name: "internal_file_gitignore" },
    shell_run: { name: "internal_system_execute" },
    shell_output: { name: "internal_system_output" },
    shell_kill: { name: "internal_system_kill" },
    agent_run: { name: "internal_agent_run" },
    tool_search: { name: "internal_tool_search" },
    search_glob: { name: "internal_file_glob" },
    search_grep: {
      name: "internal_code_search",
      params: { pattern: { name: "query" }, path: { name: "searchPath" } },
    },
    task_create: { name: "internal_task_create" },
    task_list: { name: "internal_task_list" },
    task_update: { name: "internal_task_update" },
    todo_read: { name: "internal_todo_read" },
    todo_write: { name: "internal_todo_write" },
    skill_load: { name: "internal_skill_load" },
    web_fetch: { name: "internal_network_fetch" },
    user_ask: { name: "internal_user_ask" },
  },
};
