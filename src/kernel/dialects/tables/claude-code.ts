import type { Dialect } from "../dialect.ts";

const filePath = { name: "file_path", description: "The absolute path of the file" };

/** The names and parameters of Claude Code, on which Claude models are trained. */
export const claudeCode: Dialect = {
  name: "claude-code",
  pathPolicy: "absolute",
  output: { maxCharacters: 30_000, headShare: 0.8 },
  tools: {
    file_read: { name: "Read", params: { path: filePath, encoding: null } },
    file_write: { name: "Write", params: { path: filePath, encoding: null } },
    file_edit: { name: "Edit", params: { path: filePath, encoding: null } },
    file_notebook: {
      name: "NotebookEdit",
      params: { path: { name: "notebook_path", description: "The absolute path of the notebook" } },
    },
    file_list: { name: "LS" },
    search_glob: { name: "Glob", params: { include_ignored: null } },
    search_grep: {
      name: "Grep",
      params: {
        output_mode: { default: "files_with_matches" },
        case_insensitive: { name: "-i" },
        context: { name: "-C" },
        before: { name: "-B" },
        after: { name: "-A" },
        literal: null,
        include_ignored: null,
      },
      ownParams: {
        // Line numbers are always shown.
        "-n": { schema: { type: "boolean", description: "Show line numbers" } },
      },
    },
    shell_run: {
      name: "Bash",
      params: { timeout: { default: 120_000 }, cwd: null, background_after: null, keep: null, pty: null },
    },
    shell_output: { name: "BashOutput", params: { job: { name: "bash_id" }, pattern: { name: "filter" } } },
    shell_kill: { name: "KillShell", aliases: ["KillBash"], params: { job: { name: "shell_id" } } },
    agent_run: { name: "Agent", aliases: ["Task"], params: { kind: { name: "subagent_type" } } },
    todo_write: { name: "TodoWrite", params: { todos: { items: { title: { name: "content" } } } } },
    todo_read: { name: "TodoRead" },
    web_fetch: { name: "WebFetch", params: { question: { name: "prompt" } } },
    web_search: { name: "WebSearch" },
    skill_load: { name: "Skill", params: { name: { name: "skill" } } },
    tool_search: { name: "ToolSearch", params: { limit: { name: "max_results" } } },
    user_ask: { name: "AskUserQuestion" },
    task_create: { name: "TaskCreate", params: { title: { name: "subject" } } },
    task_list: { name: "TaskList" },
    task_update: { name: "TaskUpdate", params: { id: { name: "taskId" } } },
  },
};
