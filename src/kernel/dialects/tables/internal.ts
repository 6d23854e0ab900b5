import type { Dialect } from "../dialect.ts";

/** Tools named `internal_{group}_{action}`, after their folder and file. */
export const internal: Dialect = {
  name: "internal",
  pathPolicy: "any",
  prefixes: { folder: "internal_" },
  // `mcp_{server}_{tool}`
  offersAliasOf: ["mcp"],
  output: { maxCharacters: 30_000, headShare: 0.8 },
  messages: {
    failed: "操作失败: {message}",
    unknownTool: "未知的工具: {name}",
    filesFound: "[InternalToolLoader] 发现 {count} 个工具文件",
    toolLoaded: "[InternalToolLoader] 已加载工具: {name}",
    toolsLoaded: "[InternalToolLoader] 成功加载 {count} 个内部工具",
  },
  tools: {
    file_read: { name: "internal_file_read", params: { encoding: null } },
    file_write: { name: "internal_file_write", params: { encoding: null } },
    file_edit: { name: "internal_file_edit", params: { encoding: null } },
    shell_run: { name: "internal_system_execute", group: "system" },
    shell_output: { name: "internal_system_output", group: "system" },
    shell_kill: { name: "internal_system_kill", group: "system" },
    search_glob: { name: "internal_file_glob", group: "file" },
    search_grep: {
      name: "internal_code_search",
      group: "code",
      params: { pattern: { name: "query" }, path: { name: "searchPath" } },
    },
    web_fetch: { name: "internal_network_fetch", group: "network" },
    web_search: { name: "internal_network_search", group: "network" },
    ...withPrefix("file", ["list", "multi_edit", "patch", "notebook", "mkdir", "move", "copy", "delete"]),
    ...withPrefix("file", ["gitignore"]),
    ...withPrefix("task", ["create", "list", "update"]),
    ...withPrefix("todo", ["read", "write"]),
    ...withPrefix("skill", ["load", "learn"]),
    ...withPrefix("tool", ["create", "search"]),
    ...withPrefix("network", ["request", "download"]),
    ...withPrefix("database", ["query", "update"]),
    ...withPrefix("code", ["analyze", "format"]),
    ...withPrefix("system", ["info", "env"]),
    ...withPrefix("agent", ["run"]),
    ...withPrefix("project", ["reflect"]),
    ...withPrefix("user", ["ask"]),
  },
};

/** Rows of tools that only get the prefix. */
function withPrefix(group: string, actions: readonly string[]): Dialect["tools"] {
  const names = actions.map((action) => `${group}_${action}`);
  return Object.fromEntries(names.map((name) => [name, { name: `internal_${name}` }]));
}
