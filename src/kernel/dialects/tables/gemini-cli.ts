import type { Dialect } from "../dialect.ts";

const filePath = { name: "file_path", description: "The path of the file" };

/** The names and parameters of Gemini CLI, on which Gemini models are trained. */
export const geminiCli: Dialect = {
  name: "gemini-cli",
  pathPolicy: "any",
  output: { maxCharacters: 30_000, headShare: 0.8 },
  tools: {
    file_list: { name: "list_directory", params: { path: { name: "dir_path" }, recursive: null } },
    file_read: {
      name: "read_file",
      params: {
        path: filePath,
        offset: { countsFrom: 0, description: "The line to start at, counted from 0" },
        column: null,
        encoding: null,
      },
    },
    file_write: { name: "write_file", params: { path: filePath, encoding: null } },
    file_edit: {
      name: "replace",
      params: { path: filePath, replace_all: { name: "allow_multiple" }, encoding: null },
      ownParams: {
        instruction: { schema: { type: "string", description: "The purpose of the change, in a sentence" } },
      },
    },
    search_glob: {
      name: "glob",
      params: {
        path: { name: "dir_path" },
        include_ignored: {
          name: "respect_git_ignore",
          isNegated: true,
          default: true,
          description: "Leave out ignored files",
        },
      },
    },
    search_grep: {
      name: "search_file_content",
      aliases: ["grep_search"],
      params: { path: { name: "dir_path" }, glob: { name: "include" }, literal: { name: "fixed_strings" } },
    },
    shell_run: {
      name: "run_shell_command",
      params: { cwd: { name: "dir_path" }, run_in_background: { name: "is_background" } },
    },
    web_search: { name: "google_web_search", params: { max_results: null } },
    todo_write: { name: "write_todos", params: { todos: { items: { title: { name: "description" } } } } },
    skill_load: { name: "activate_skill" },
    user_ask: { name: "ask_user" },
  },
};
