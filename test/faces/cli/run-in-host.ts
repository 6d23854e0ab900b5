import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A command line and where it runs. */
export interface CliRun {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly input: string;
}

export interface CliResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const hostFile = fileURLToPath(new URL("cli-host.ts", import.meta.url));
const idle: ChildProcess[] = [];

/** Runs a command line in a process that has run others before: one that is idle, or a new one. */
export async function runInHost(run: CliRun): Promise<CliResult> {
  const host = idle.pop() ?? startHost();
  setReferenced(host, true);
  const result = await new Promise<CliResult>((resolve, reject) => {
    host.once("message", (message) => resolve(message as CliResult));
    host.once("exit", (code, signal) =>
      reject(new Error(`${run.words.join(" ")} ended its process: ${code ?? signal}`)),
    );
    host.send(run);
  });
  host.removeAllListeners();
  setReferenced(host, false);
  idle.push(host);
  return result;
}

function startHost(): ChildProcess {
  return fork(hostFile, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

/** An idle one must not keep the tests from ending. */
function setReferenced(host: ChildProcess, isReferenced: boolean): void {
  for (const handle of [host, host.channel]) isReferenced ? handle?.ref() : handle?.unref();
}
