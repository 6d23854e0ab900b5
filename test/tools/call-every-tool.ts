import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { scriptedModel } from "../../src/capabilities/agents/index.ts";
import type { CallResult, RuntimeOptions } from "../../src/index.ts";
import { openTestSession, type TestSession } from "../support/open-test-session.ts";

export interface EveryCall extends TestSession {
  /** In order, with the canonical name of each tool. */
  readonly calls: readonly { readonly tool: string; readonly result: CallResult }[];
}

/** Calls every built-in tool on a small workspace, in each of the ways that its answers differ, and some that fail. */
export async function callEveryTool(options: RuntimeOptions = {}): Promise<EveryCall> {
  const opened = await openTestSession({
    permissions: { mode: "auto", allow: ["skill_learn(.skills/**)"] },
    agents: { model: scriptedModel(() => ({ text: "done" })) },
    onQuestion: () => "blue",
    shell: { backgroundAfterMs: 60_000 },
    databases: { shop: { sqlite: "shop.db", writable: true } },
    ...options,
  });
  const { session, workspace } = opened;
  await fillWorkspace(workspace);
  const calls: { tool: string; result: CallResult }[] = [];
  const call = async (tool: string, input: unknown = {}) => {
    const result = await session.call(tool, input);
    calls.push({ tool, result });
    return result;
  };
  for (const [tool, input] of plainCalls) await call(tool, input);

  const created = await call("task_create", { title: "one", description: "details" });
  const { id } = created.data as { id: string };
  await call("task_create", { title: "two", depends_on: [id] });
  await call("task_update", { id, status: "in_progress", notes: "begun" });
  await call("task_update", { id: "no such", status: "done" });

  const started = await call("shell_run", { command: "sleep 30", run_in_background: true });
  const { id: job } = (started.data as { started: { id: string } }).started;
  await call("shell_output");
  await call("shell_output", { job });
  await call("shell_output", { job, wait_for_line: "never", timeout: 1 });
  await call("task_list");
  await call("shell_kill", { job });
  await call("shell_kill", { job });
  await call("shell_run", { command: "sleep 30", background_after: 1 });
  await call("agent_run", { prompt: "go" });
  const spawned = await call("agent_run", { prompt: "go", mode: "background" });
  await call("task_update", { id: (spawned.data as { id: string }).id, status: "cancelled" });
  await call("task_list");
  await call("todo_read");
  return { ...opened, calls };
}

const patch =
  "*** Begin Patch\n*** Add File: p.txt\n+p\n*** Update File: a.txt\n@@\n-two\n+zwei\n*** End Patch\n";

const plainCalls: readonly (readonly [tool: string, input: unknown])[] = [
  ["file_read", { path: "a.txt" }],
  ["file_read", { path: "a.txt", offset: 2, limit: 1 }],
  ["file_read", { path: "long.txt" }],
  ["file_read", { path: "a.pdf" }],
  ["file_read", { path: "dot.png" }],
  ["file_read", { path: "." }],
  ["file_read", { path: "b.txt" }],
  ["file_read", { path: "/etc/hostname" }],
  ["file_write", { path: "new/b.txt", content: "b\n" }],
  ["file_write", { path: "long.txt", content: "short\n" }],
  ["file_edit", { path: "a.txt", old_string: "one", new_string: "eins" }],
  ["file_edit", { path: "a.txt", old_string: "no such", new_string: "x" }],
  ["file_multi_edit", { edits: [{ path: "a.txt", old_string: "three", new_string: "drei" }] }],
  ["file_patch", { patch }],
  ["file_read", { path: "n.ipynb" }],
  ["file_read", { path: "broken.ipynb" }],
  ["file_notebook", { path: "n.ipynb", cell_id: "0", new_source: "2" }],
  ["file_notebook", { path: "n.ipynb", edit_mode: "insert", cell_type: "code", new_source: "3" }],
  ["file_notebook", { path: "n.ipynb", edit_mode: "delete", cell_id: "1" }],
  ["file_notebook", { path: "n.ipynb", edit_mode: "delete", cell_id: "1" }],
  ["file_notebook", { path: "broken.ipynb", cell_id: "0", new_source: "2" }],
  ["file_edit", { path: "n.ipynb", old_string: "cells", new_string: '"' }],
  ["file_list", {}],
  ["file_list", { recursive: true }],
  ["file_mkdir", { path: "folder" }],
  ["file_copy", { source: "a.txt", destination: "folder/c.txt" }],
  ["file_move", { source: "folder/c.txt", destination: "folder/d.txt" }],
  ["file_delete", { path: "folder", recursive: true }],
  ["file_gitignore", { action: "add", patterns: ["*.log"] }],
  ["file_gitignore", { action: "check", path: "x.log" }],
  ["search_glob", { pattern: "**/*.txt" }],
  ["search_glob", { pattern: "*.none" }],
  ["search_grep", { pattern: "zwei", context: 1 }],
  ["search_grep", { pattern: "e", output_mode: "files_with_matches", glob: "*.txt" }],
  ["search_grep", { pattern: "e", output_mode: "count" }],
  ["shell_run", { command: "echo out; echo err >&2" }],
  ["shell_run", { command: "exit 3" }],
  ["shell_run", { command: "seq 200000" }],
  ["shell_run", { command: "sleep 30", timeout: 100 }],
  // Private addresses are out of reach.
  ["web_fetch", { url: "http://127.0.0.1:9/" }],
  ["web_search", { query: "anything" }],
  ["network_request", { url: "http://127.0.0.1:9/" }],
  ["network_download", { url: "http://127.0.0.1:9/", path: "downloaded" }],
  [
    "database_update",
    {
      connection: "shop",
      statements: [
        { sql: "CREATE TABLE item (name)" },
        { sql: "INSERT INTO item VALUES ('a') RETURNING name" },
      ],
    },
  ],
  ["database_query", { connection: "shop", sql: "SELECT name FROM item" }],
  ["database_query", { connection: "shop", sql: "SELECT 1 FROM item, item AS other", max_rows: 1 }],
  ["database_query", { connection: "shup", sql: "SELECT 1" }],
  ["code_analyze", {}],
  ["code_analyze", { path: "code.ts" }],
  ["code_analyze", { path: "a.txt" }],
  ["code_format", { paths: ["code.ts"] }],
  ["code_format", { paths: ["code.ts", "a.txt"], check: true }],
  ["code_format", { paths: ["a.txt"] }],
  ["system_info", {}],
  ["system_env", {}],
  ["system_env", { names: ["PATH", "SOMETHING_ELSE"] }],
  ["tool_search", { query: "copy a file" }],
  ["tool_search", { query: "select:file_raed" }],
  ["todo_write", { todos: [{ title: "first", notes: "remember" }] }],
  ["skill_load", { name: "greet" }],
  ["skill_load", { name: "great" }],
  [
    "tool_create",
    {
      name: "twice",
      description: "Twice the number.",
      input: { type: "object", properties: { of: { type: "number" } }, required: ["of"] },
      language: "javascript",
      code: "export default ({ of }) => of * 2;",
      examples: [{ input: { of: 2 }, output: 4 }],
    },
  ],
  ["skill_learn", { name: "bow", description: "How to bow.", content: "Bow." }],
  ["project_reflect", { note: "Greet first." }],
  ["project_reflect", { query: "greet" }],
  ["user_ask", { question: "Which colour?" }],
  ["user_ask", { question: "Which colour?", choices: ["red"], default: "red" }],
];

async function fillWorkspace(workspace: string): Promise<void> {
  await mkdir(join(workspace, ".skills/greet/scripts"), { recursive: true });
  const skill = "---\nname: greet\ndescription: How to greet.\n---\nSay hello.\n";
  const files: Record<string, string | Buffer> = {
    "a.txt": "one\ntwo\nthree\n",
    "long.txt": "word ".repeat(2000),
    "a.pdf": "%PDF-1.4\n%\u00e2\u00e3\u0000\u0001",
    "dot.png": Buffer.from(dot, "base64"),
    "n.ipynb": `{"cells":[{"cell_type":"code","outputs":[{"data":{"image/png":"${dot}"}}],"source":"1"}],"nbformat":4,"nbformat_minor":5}`,
    "broken.ipynb": "{",
    "code.ts": 'import { a } from "./a.ts";\nexport class  B { c() {} }\n',
    "biome.json": "{}",
    // Stands in for the real one.
    "node_modules/.bin/biome": "#!/bin/sh\nexec sed 's/  / /g'\n",
    ".skills/greet/SKILL.md": skill,
    ".skills/greet/scripts/hello.sh": "echo hello\n",
  };
  await mkdir(join(workspace, "node_modules/.bin"), { recursive: true });
  for (const [path, content] of Object.entries(files)) await writeFile(join(workspace, path), content);
  await chmod(join(workspace, "node_modules/.bin/biome"), 0o755);
}

const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
