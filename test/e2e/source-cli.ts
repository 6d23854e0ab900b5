import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type Cli, startNode } from "../cli/run-cli.ts";

/** The command line as it is written, for commands that go on until they are told to stop. */
export const sourceFile = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

/** What tool files that it loads have to import. */
export const sourceAddress = new URL("../../src/index.ts", import.meta.url).href;

/** Starts it in the test's workspace; it is gone when the test ends. */
export function startSource(cli: Cli, words: readonly string[]): ChildProcessWithoutNullStreams {
  const child = startNode([sourceFile, ...words], { cwd: cli.workspace, env: cli.environment });
  child.stdin.on("error", () => {});
  onTestFinished(() => void child.kill("SIGKILL"));
  return child as ChildProcessWithoutNullStreams;
}

export async function runSource(cli: Cli, words: readonly string[], stdin = "") {
  const child = startSource(cli, words);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(stdin);
  const [exitCode] = await once(child, "close");
  return { exitCode, stdout, stderr };
}
