import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { bareEnvironment } from "../../shared/process-environment.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { findRipgrep, ripgrepUnavailable } from "./find-ripgrep.ts";

export interface RipgrepOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Text to search instead of files. */
  readonly input?: string;
  /** Takes a piece of the output; `enough` ends the search. */
  onOutput(chunk: Buffer): "more" | "enough";
}

export type RipgrepEnd =
  | { readonly status: "finished" | "stopped"; readonly unreadable: number }
  | { readonly status: "refused"; readonly message: string };

/**
 * The only place that starts ripgrep: without a shell, its configuration or our environment. The process never outlives
 * the search.
 */
export async function runRipgrep(args: readonly string[], options: RipgrepOptions): Promise<RipgrepEnd> {
  const { cwd, signal, input, onOutput } = options;
  signal.throwIfAborted();
  const child = spawn(await findRipgrep(), ["--no-config", "--color=never", ...args], {
    cwd,
    env: bareEnvironment,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    windowsHide: true,
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
  // Ripgrep may end before it has read all its input.
  child.stdin?.on("error", () => {}).end(input);
  const kill = () => child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  let isStopped = false;
  let hasOutput = false;
  let complaints = "";
  child.stdout.on("data", (chunk: Buffer) => {
    hasOutput = true;
    if (isStopped || onOutput(chunk) === "more") return;
    isStopped = true;
    kill();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (complaints.length < maxComplaintCharacters) complaints += text;
  });
  try {
    const [exitCode]: [number | null] = (await once(child, "close")) as [number | null];
    signal.throwIfAborted();
    if (isStopped) return { status: "stopped", unreadable: 0 };
    if (exitCode === 0 || exitCode === 1) return { status: "finished", unreadable: 0 };
    // Unreadable files are reported besides the results; a rejected search prints nothing but the error.
    const places = complaints.split("\n").filter((line) => /^rg: .*\(os error \d+\)$/.test(line)).length;
    if (exitCode === 2 && (hasOutput || places > 0)) return { status: "finished", unreadable: places };
    if (exitCode === 2) return { status: "refused", message: complaints.replace(/^rg: /, "").trim() };
    throw new ToolError("tool-failed", `the search ended unexpectedly: ${complaints.trim() || exitCode}`);
  } catch (error) {
    kill();
    throw isSpawnError(error) ? ripgrepUnavailable(error) : error;
  } finally {
    signal.removeEventListener("abort", kill);
  }
}

const maxComplaintCharacters = 64 * 1024;

function isSpawnError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && String(error.syscall).startsWith("spawn");
}

/**
 * 0-based indexes of the matching lines. An untrusted pattern could keep JavaScript's regular expressions busy for
 * years; ripgrep takes linear time, in a process that can be killed.
 */
export async function filterLines(
  text: string,
  pattern: string,
  { signal }: { signal: AbortSignal },
): Promise<readonly number[]> {
  if (/[\0\n]/.test(pattern)) {
    throw new ToolError("invalid-input", "the pattern contains a NUL character or a line break");
  }
  const { end, lines } = await readRipgrep(
    ["--text", "--encoding=none", "--crlf", "--line-number", "--no-filename", `--regexp=${pattern}`, "-"],
    { signal, input: text },
  );
  if (end.status === "refused") throw new ToolError("invalid-input", `invalid pattern: ${end.message}`);
  return lines.map((line) => Number.parseInt(line, 10) - 1);
}

/** Runs ripgrep outside of any folder, and returns all the lines that it prints. */
export async function readRipgrep(
  args: readonly string[],
  options: Pick<RipgrepOptions, "signal" | "input">,
): Promise<{ end: RipgrepEnd; lines: string[] }> {
  const printed: Buffer[] = [];
  const onOutput = (chunk: Buffer) => {
    printed.push(chunk);
    return "more" as const;
  };
  const end = await runRipgrep(args, { cwd: "/", ...options, onOutput });
  return { end, lines: Buffer.concat(printed).toString().split("\n").slice(0, -1) };
}
