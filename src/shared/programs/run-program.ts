import { spawn } from "node:child_process";
import { Deadline, DeadlineReached } from "../deadline.ts";
import { signalGroup } from "./signal-group.ts";
import { trustedPath } from "./trusted-path.ts";

export interface ProgramOptions {
  readonly cwd: string;
  /** Folders whose programs are never found by their bare name. */
  readonly untrusted: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Stdin. Default: empty. */
  readonly input?: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export type ProgramEnd = Awaited<ReturnType<typeof runProgram>>;

/**
 * Runs a program that the user's options name, without a shell: with a bare environment, limits on time and output, and
 * with no process left behind. Rejects if it cannot be started, prints too much or takes too long. The exit code is null
 * if a signal ended it.
 */
export async function runProgram(argv: readonly string[], options: ProgramOptions) {
  const [program = "", ...args] = argv;
  const { cwd, untrusted, variables, input = "", timeoutMs, maxOutputBytes, signal } = options;
  const path = await trustedPath(process.env.PATH ?? "", untrusted, program);
  signal?.throwIfAborted();
  const child = spawn(program, args, {
    cwd,
    env: { ...inherited(), ...variables, PATH: path },
    stdio: ["pipe", "pipe", "pipe"],
    // In a new process group, so that the processes it starts end with it.
    detached: true,
    windowsHide: true,
  });
  const deadline = new Deadline(signal);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  // A caller may no longer wait for the end.
  ended.catch(() => {});
  // It may exit before it has read all of its input.
  child.stdin.on("error", () => {}).end(input);
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  let bytes = 0;
  let isTooMuch = false;
  const take = (chunks: Buffer[]) => (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxOutputBytes) chunks.push(chunk);
    else if (!isTooMuch) {
      isTooMuch = true;
      deadline.cancel(new Error("too much output"));
    }
  };
  child.stdout.on("data", take(stdout));
  child.stderr.on("data", take(stderr));
  deadline.start(timeoutMs);
  try {
    const exitCode = await deadline.race(ended);
    if (isTooMuch) throw new Error(printedTooMuch(maxOutputBytes));
    return { exitCode, stdout: textOf(stdout), stderr: textOf(stderr) };
  } catch (error) {
    if (isTooMuch) throw new Error(printedTooMuch(maxOutputBytes));
    if (error instanceof DeadlineReached) throw new Error(`it gave ${error.message}`);
    throw error;
  } finally {
    deadline.close();
    // Also after an orderly end: processes that it has left in its group would outlive their purpose.
    signalGroup(child.pid);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function printedTooMuch(maxOutputBytes: number): string {
  return `it printed more than ${maxOutputBytes.toLocaleString("en-US")} bytes`;
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

/** What programs need to find their files and to print readable text, and nothing that could be a credential. */
function inherited(): Record<string, string> {
  const names = Object.keys(process.env).filter((name) => ordinaryNames.has(name) || name.startsWith("LC_"));
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? ""]));
}

const ordinaryNames = new Set([
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "TZ",
  "TMPDIR",
  "XDG_CONFIG_HOME",
  "XDG_RUNTIME_DIR",
]);
