import type { Dialect } from "../dialect.ts";

/** A shell, patches and a plan, on which OpenAI's coding models are trained. */
export const codex: Dialect = {
  name: "codex",
  pathPolicy: "any",
  output: { maxCharacters: 30_000, headShare: 0.5 },
  tools: {
    shell_run: {
      name: "shell_command",
      params: {
        timeout: { name: "timeout_ms" },
        cwd: { name: "workdir" },
        run_in_background: null,
        background_after: null,
        keep: null,
        pty: null,
      },
      ownParams: {
        justification: {
          schema: { type: "string", description: "Why more rights are needed, for the person who is asked" },
        },
      },
    },
    file_patch: { name: "apply_patch", params: { patch: { name: "input" } } },
    file_read: {
      name: "read_file",
      params: { path: { name: "file_path" }, column: null, encoding: null },
    },
    file_list: { name: "list_dir", params: { path: { name: "dir_path" } } },
    search_grep: {
      name: "grep_files",
      params: {
        glob: { name: "include" },
        head_limit: { name: "limit", default: 100 },
        output_mode: { fixed: "files_with_matches" },
        context: null,
        before: null,
        after: null,
        case_insensitive: null,
        literal: null,
        multiline: null,
        type: null,
        include_ignored: null,
      },
    },
    todo_write: {
      name: "update_plan",
      params: { todos: { name: "plan", items: { title: { name: "step" } } } },
    },
    user_ask: { name: "request_user_input" },
  },
};
