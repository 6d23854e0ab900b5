import type { Dialect } from "../dialect.ts";

const filePath = { name: "file_path", description: "The absolute path of the file" };

/** Flyto Agent Engine: capitalised names, absolute paths, lines counted from 0. */
export const flyto: Dialect = {
  name: "flyto",
  pathPolicy: "absolute",
  output: { maxCharacters: 30_000, headShare: 0.8 },
  tools: {
    file_read: {
      name: "Read",
      aliases: ["FileRead"],
      params: {
        path: filePath,
        offset: { countsFrom: 0, description: "The line to start at, counted from 0" },
        limit: { default: 2000 },
        encoding: null,
      },
    },
    file_write: { name: "Write", aliases: ["FileWrite"], params: { path: filePath, encoding: null } },
    file_edit: { name: "Edit", aliases: ["FileEdit"], params: { path: filePath, encoding: null } },
    file_notebook: {
      name: "NotebookEdit",
      params: { path: { name: "notebook_path", description: "The absolute path of the notebook" } },
    },
    file_gitignore: {
      name: "Gitignore",
      params: { dir: { description: "The absolute path of the folder whose .gitignore to use" } },
    },
    shell_run: {
      name: "Bash",
      params: {
        cwd: {
          description: "Absolute path of the directory to run in; default: where the last command ended",
        },
      },
      // The tool itself cuts stdout to 200 KB and stderr to 56 KB; its notes need a little more.
      output: { maxCharacters: 270_000, headShare: 0.8 },
    },
    tool_search: {
      name: "ToolSearch",
      params: {
        query: { description: "Search query to find tools (e.g., 'fetch web page', 'search files')" },
        limit: null,
      },
    },
    search_glob: {
      name: "Glob",
      params: {
        path: { description: "The absolute path of the folder to search; default: the workspace" },
      },
    },
    search_grep: {
      name: "Grep",
      params: {
        path: { description: "The absolute path of the folder or file to search; default: the workspace" },
        head_limit: { default: 250 },
      },
    },
    web_fetch: {
      name: "WebFetch",
      params: { timeout: { unit: "seconds", description: "Timeout in seconds" } },
    },
    agent_run: {
      name: "Agent",
      params: { kind: { name: "agent_type" } },
      // It changes nothing itself: each of the agent's calls is judged by its own effects.
      metadata: { destructive: false },
    },
    web_search: { name: "WebSearch" },
    task_create: { name: "TaskCreate" },
    task_list: { name: "TaskList" },
    task_update: { name: "TaskUpdate" },
  },
};
