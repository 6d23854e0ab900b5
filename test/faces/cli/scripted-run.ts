import { readdir } from "node:fs/promises";
import type { ScriptedStep } from "../../../src/capabilities/agents/index.ts";
import { type Cli, createCli, mainFile, packageAddress, parseLines } from "./run-cli.ts";
import { startTerminal } from "./start-terminal.ts";

/**
 * A workspace in which an agent will take these steps, and agents of these kinds those. Beside the built-in tools there are
 * two that wait for the file `go`; one of them asks then, and does not wait long.
 */
export function createScripted(
  steps: readonly ScriptedStep[],
  kinds: Readonly<Record<string, readonly ScriptedStep[]>> = {},
): Promise<Cli> {
  const names = Object.keys(kinds);
  const templates = names.map((name) => [
    name,
    { description: name, model: `scripted/${name}.json`, agents: { maxDepth: 1 } },
  ]);
  const agents = { maxDepth: 2, templates: Object.fromEntries(templates) };
  return createCli({
    ...Object.fromEntries(names.map((name) => [`${name}.json`, JSON.stringify(kinds[name])])),
    "script.json": JSON.stringify(steps),
    "config.json": JSON.stringify({ ...config, agents }),
    ".env": "KEY=1\n",
    "tools/wait/go.mjs": waitingTool("go", '"gone"'),
    "tools/wait/answer.mjs": waitingTool("answer", 'ask({ text: "Which?", timeoutMs: 200 })'),
  });
}

const config = { toolFolders: ["tools"], permissions: { allow: ["wait_go", "wait_answer"] } };

function waitingTool(name: string, result: string): string {
  return `import { access } from "node:fs/promises";
import { defineTool } from ${JSON.stringify(packageAddress)};
export default defineTool({ name: "${name}", description: "Waits", params: {},
  traits: { readOnly: true, concurrencySafe: true },
  async run(_input, { ask }) {
    while (await access("go").then(() => false, () => true)) await new Promise((resolve) => setTimeout(resolve, 20));
    return ${result};
  } });`;
}

export const scriptFlags = ["--model", "scripted/script.json", "--config", "config.json"];

/** Lets it work on a terminal. */
export function startRun(cli: Cli, words: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) {
  return startTerminal([process.execPath, mainFile, "run", "do it", ...scriptFlags, ...words], {
    cwd: cli.workspace,
    env: { ...cli.environment, ...environment },
  });
}

export const approvalPrompt = "Allow it? [y/N] ";

export function write(name: string) {
  return { name: "file_write", input: { path: name, content: "written\n" } };
}

/** What `write` has written. */
export async function written(cli: Cli): Promise<string[]> {
  return (await readdir(cli.workspace)).filter((name) => name.startsWith("new"));
}

export async function finishedCalls(cli: Cli, session: string) {
  const { stdout } = await cli(["log", "--session", session, "--json"]);
  return parseLines(stdout).map(({ tool, status }) => [tool, status]);
}
