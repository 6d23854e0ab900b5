import type { Dialect, ResultFields } from "../dialect.ts";

const done = { value: true } as const;

const background: ResultFields = {
  id: "job.id",
  command: "job.command",
  state: "job.state",
  code: "job.exitCode",
};

/** KODE SDK: `fs_*` and `bash_*`, every result as JSON, paths relative to the workspace. */
export const kode: Dialect = {
  name: "kode",
  pathPolicy: "any",
  output: { maxCharacters: 30_000, headShare: 0.8 },
  text: "json",
  maxConcurrentCalls: 3,
  failure: {
    ok: { value: false },
    error: "message",
    errorType: {
      from: "code",
      words: {
        "invalid-input": "validation",
        "unknown-tool": "validation",
        "timed-out": "aborted",
        cancelled: "aborted",
        "tool-failed": "exception",
        "permission-denied": "logical",
        "approval-needed": "logical",
      },
      otherwise: "runtime",
    },
    retryable: "retryable",
    recommendations: { entries: ["hint"] },
    results: "partial.results",
    data: "partial",
  },
  tools: {
    file_read: {
      name: "fs_read",
      params: { column: null, encoding: null },
      result: {
        path: "path",
        offset: { input: "offset" },
        limit: { input: "limit" },
        truncated: "truncated",
        content: "content",
        totalLines: "totalLines",
        // For files that are not text.
        mediaType: "mediaType",
        bytes: "sizeBytes",
      },
    },
    file_write: {
      name: "fs_write",
      params: { encoding: null },
      result: {
        ok: done,
        path: "path",
        bytes: "sizeBytes",
        length: { lengthOf: { input: "content" } },
        lines: { linesOf: { input: "content" } },
      },
    },
    file_edit: {
      name: "fs_edit",
      params: { encoding: null },
      result: {
        ok: done,
        path: "path",
        replacements: "replacements",
        length: "characters",
        bytes: "sizeBytes",
      },
    },
    file_multi_edit: {
      name: "fs_multi_edit",
      params: { edits: { items: { old_string: { name: "find" }, new_string: { name: "replace" } } } },
      result: {
        ok: done,
        results: {
          list: "results",
          fields: { path: "path", status: "status", replacements: "replacements" },
        },
      },
    },
    search_glob: {
      name: "fs_glob",
      params: { path: { name: "cwd" } },
      result: {
        ok: done,
        pattern: "pattern",
        cwd: "path",
        matches: { list: "matches", item: "path" },
        truncated: "truncated",
      },
    },
    search_grep: {
      name: "fs_grep",
      params: {
        literal: {
          name: "regex",
          isNegated: true,
          default: false,
          description: "The pattern is a regular expression",
        },
        case_insensitive: {
          name: "case_sensitive",
          isNegated: true,
          default: true,
          description: "Upper and lower case differ",
        },
        head_limit: { name: "max_results", default: 200 },
        output_mode: { fixed: "content" },
        type: null,
        multiline: null,
      },
      result: {
        ok: done,
        pattern: "pattern",
        path: "path",
        matches: { list: "matches", fields: { path: "path", line: "line", preview: "text" } },
        truncated: "truncated",
      },
    },
    shell_run: {
      name: "bash_run",
      params: {
        command: { name: "cmd" },
        timeout: { name: "timeout_ms", default: 120_000 },
        run_in_background: { name: "background" },
      },
      result: {
        background: { input: "run_in_background" },
        code: "exitCode",
        signal: "signal",
        output: "stdout",
        stderr: "stderr",
        shell_id: "started.id",
        job: { fields: background },
      },
    },
    shell_output: { name: "bash_logs", params: { job: { name: "shell_id" } } },
    shell_kill: { name: "bash_kill", params: { job: { name: "shell_id" } } },
    agent_run: {
      name: "task_run",
      // Its documents and its code have different names for both.
      params: {
        kind: { name: "subagent_type", otherNames: ["agentTemplateId"] },
        model: { name: "model_name", otherNames: ["model"] },
      },
      ownParams: {
        context: {
          schema: { type: "string", maxLength: 200_000, description: "Further facts that the agent needs" },
          appendsTo: "prompt",
        },
      },
    },
    skill_load: {
      name: "skills",
      params: { name: { name: "skill_name" } },
      ownParams: {
        action: { schema: { type: "string", enum: ["load"], description: "What to do" }, isRequired: true },
      },
      result: {
        ok: done,
        data: {
          fields: {
            name: "name",
            description: "description",
            content: "content",
            base_dir: "folder",
            references: "references",
            scripts: "scripts",
            assets: "assets",
          },
        },
      },
    },
    todo_read: { name: "todo_read" },
    todo_write: { name: "todo_write" },
  },
};
