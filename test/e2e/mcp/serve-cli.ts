import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { type Cli, mainFile, startNode } from "../../faces/cli/run-cli.ts";

export interface Served {
  readonly url: string;
  readonly token: string;
}

/** The built `toolwright serve` on a free port, gone when the test ends. */
export async function serve(cli: Cli, words: readonly string[]): Promise<Served> {
  const child = startNode([mainFile, "serve", "--json", "--port", "0", ...words], {
    cwd: cli.workspace,
    env: cli.environment,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  // Nobody reads it, and what is not read would hold it up.
  child.stderr.resume();
  const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`serve ended with ${code}`)));
  const line = once(createInterface(child.stdout), "line");
  const [announced] = (await Promise.race([line, ended])) as [string];
  return JSON.parse(announced);
}
