import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { onTestFinished } from "vitest";
import { type Cli, mainFile, startNode } from "../faces/cli/run-cli.ts";

/** Starts the built command line in the test's workspace, to be spoken with; it is gone when the test ends. */
export function startCli(cli: Cli, words: readonly string[]): ChildProcessWithoutNullStreams {
  const child = startNode([mainFile, ...words], { cwd: cli.workspace, env: cli.environment });
  child.stdin.on("error", () => {});
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
