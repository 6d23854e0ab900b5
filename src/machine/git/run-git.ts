import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { Deadline } from "../../shared/deadline.ts";
import { settlesWithin } from "../../shared/maybe-promise.ts";
import { signalGroup } from "../../shared/programs/signal-group.ts";
import { quoteControls } from "../../shared/text/quote-controls.ts";
import { ToolError } from "../../tool/tool-error.ts";

export interface GitRun {
  readonly cwd: string;
  /** The complete environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Stdin. Default: empty. */
  readonly input?: string | Buffer;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
}

export type GitEnd = Awaited<ReturnType<typeof runGit>>;

/**
 * The one place that starts git: without a shell, with limits on time and output, and with no process left behind. The exit
 * code is above 128 if a signal ended it.
 */
export async function runGit(args: readonly string[], options: GitRun) {
  const { cwd, environment, input = "", signal, timeoutMs } = options;
  signal?.throwIfAborted();
  const child = spawn("git", args, {
    cwd,
    env: { ...environment },
    stdio: ["pipe", "pipe", "pipe"],
    // In a new process group, so that the processes git starts can be ended with it.
    detached: true,
    windowsHide: true,
  });
  const ended = whenEnded(child, cwd);
  // Git may exit before it has read all of its input.
  child.stdin.on("error", () => {}).end(input);
  const chunks: Buffer[] = [];
  let outputBytes = 0;
  let stderr = "";
  const deadline = new Deadline(signal);
  child.stdout.on("data", (chunk: Buffer) => {
    outputBytes += chunk.length;
    if (outputBytes > maxOutputBytes) deadline.cancel(tooMuch(args));
    else chunks.push(chunk);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (stderr.length < maxStderrCharacters) stderr += text;
  });
  deadline.start(timeoutMs);
  try {
    const exitCode = await deadline.race(ended);
    return { exitCode, stdout: Buffer.concat(chunks), stderr };
  } catch (error) {
    if (deadline.reason === undefined) throw error;
    await endGroup(child.pid, ended);
    signal?.throwIfAborted();
    if (outputBytes > maxOutputBytes) throw tooMuch(args);
    throw new ToolError("timed-out", `git ${verbOf(args)} took longer than ${timeoutMs / 1000} seconds`);
  } finally {
    deadline.close();
  }
}

// Enough for half a million file names.
const maxOutputBytes = 64 * 2 ** 20;
const maxStderrCharacters = 64 * 1024;

function whenEnded(child: ReturnType<typeof spawn>, cwd: string): Promise<number> {
  const ended = new Promise<number>((resolve, reject) => {
    let isStarted = true;
    child.on("error", (cause) => {
      isStarted = false;
      cannotStart(cause, cwd).then(reject);
    });
    child.on("close", (exitCode) => {
      if (isStarted) resolve(exitCode ?? endedBySignal);
    });
  });
  // A caller may no longer wait for the end.
  ended.catch(() => {});
  return ended;
}

const endedBySignal = 129;

async function cannotStart(cause: Error, cwd: string): Promise<ToolError> {
  const isThere = await stat(cwd).catch(() => undefined);
  if (isThere === undefined)
    return new ToolError("not-found", `${quoteControls(cwd)} does not exist`, { cause });
  return new ToolError("unsupported", `git cannot be started: ${cause.message}`, {
    hint: "Install git, and make sure that it is in the PATH.",
    cause,
  });
}

/** SIGTERM first, so that git removes its locks. */
async function endGroup(pid: number | undefined, ended: Promise<number>): Promise<void> {
  if (pid === undefined) return;
  signalGroup(pid, "SIGTERM");
  const killer = setTimeout(() => signalGroup(pid, "SIGKILL"), graceMs);
  // A process that left the group could keep the output open forever.
  await settlesWithin(ended, 2 * graceMs);
  clearTimeout(killer);
}

const graceMs = 2000;

function tooMuch(args: readonly string[]): ToolError {
  return new ToolError("too-large", `git ${verbOf(args)} printed more output than the limit`);
}

/** The git command, after the settings. */
export function verbOf(args: readonly string[]): string {
  return args.find((arg, index) => !arg.startsWith("-") && args[index - 1] !== "-c") ?? "";
}
