import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { type ControlGroup, enterGroup, openControlGroup } from "../../../machine/child/control-group.ts";
import { readTreeUse } from "../../../machine/child/tree-use.ts";
import type { Confining } from "../../../machine/sandbox/sandbox.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { MadeLimits } from "../made-limits.ts";

/** A process of a made tool, and everything that it starts. */
export interface ConfinedProcess {
  readonly child: ChildProcess;
  /** Resolves when all of it is gone, with the reason if it was ended, or the way it ended. */
  readonly ended: Promise<ToolError>;
  /** The last that it printed as errors. */
  lastErrors(): string;
  /** Ends all of it; the reason is what `ended` resolves with. */
  end(reason: ToolError): void;
  /** Counts what it uses from now on, and ends it if that is too much. Returns a function that stops it. */
  watch(): () => void;
}

export interface GuestProgram {
  readonly args: readonly string[];
  /** Absent for a program that gets no variable at all. A shell gets what it cannot work without as well. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether descriptor 3 leads to us. */
  readonly hasChannel?: boolean;
  /** What its engine sets aside and never touches, which the kernel counts all the same. */
  readonly reservedBytes?: number;
}

/** Starts a program in the bare sandbox, with limits that the kernel enforces on each of its processes. */
export async function startConfined(
  { args, environment, hasChannel = false, reservedBytes = 0 }: GuestProgram,
  { sandbox, limits }: { readonly sandbox: Confining; readonly limits: MadeLimits },
): Promise<ConfinedProcess> {
  if (sandbox.kind === "none") throw noSandbox(sandbox.reason);
  const wrapped = await sandbox.wrap(
    {
      file: "/bin/bash",
      args: [
        "--norc",
        "--noprofile",
        "-p",
        "-c",
        `${setLimits(limits, reservedBytes)}; exec ${environment ? "" : "-c "}"$@"`,
        "bash",
        ...args,
      ],
      environment: { ...environment, PATH: "/usr/bin:/bin", LANG: "C.UTF-8" },
    },
    { profile: "read-only", directory: "/" },
  );
  const { maxMemoryBytes, maxProcesses } = limits;
  const group = await openControlGroup({ maxMemoryBytes, maxTasks: maxProcesses * maxTasksEach });
  const [file, given] = group ? enterGroup(group, wrapped.file, wrapped.args) : [wrapped.file, wrapped.args];
  let child: ChildProcess;
  try {
    child = spawn(file, given, {
      cwd: "/",
      env: wrapped.environment,
      stdio: ["pipe", "pipe", "pipe", hasChannel ? "pipe" : "ignore", ...wrapped.descriptors],
    });
  } finally {
    await wrapped.release();
  }
  const finish = async () => {
    await wrapped.finish?.();
    await group?.remove();
  };
  return follow(child, { limits, group, finish });
}

interface Following {
  readonly limits: MadeLimits;
  readonly group: ControlGroup | undefined;
  finish(): Promise<void>;
}

function follow(child: ChildProcess, { limits, group, finish }: Following): ConfinedProcess {
  let reason: ToolError | undefined;
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    errors = `${errors}${chunk}`.slice(-maxErrorCharacters);
  });
  // It may be gone before it has read everything.
  for (const stream of child.stdio) stream?.on("error", () => {});
  const ended = new Promise<ToolError>((resolve) => {
    const settle = async (how: string) => {
      if (await group?.wasFull()) reason ??= tooMuchMemory(limits);
      await finish().catch(() => {});
      resolve(reason ?? new ToolError("tool-failed", `the tool's process ended: ${how}${quote(errors)}`));
    };
    child.once("error", (error) => settle(error.message));
    child.once("exit", (code, signal) => settle(signal ?? `exit code ${code}`));
  });
  const end = (why: ToolError) => {
    reason ??= why;
    // The processes inside end with the first one, because they are in its namespace.
    child.kill("SIGKILL");
  };
  return { child, ended, end, lastErrors: () => errors, watch: () => watch(child, limits, end) };
}

function watch(child: ChildProcess, limits: MadeLimits, end: (why: ToolError) => void): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const { processes, memoryBytes } = await readTreeUse(child.pid ?? 0, limits.maxProcesses);
    if (isOver) return;
    if (processes > limits.maxProcesses) end(tooMuch(`more than ${limits.maxProcesses} processes`));
    else if (memoryBytes > limits.maxMemoryBytes) end(tooMuchMemory(limits));
    else timer = setTimeout(look, lookEveryMs);
  };
  timer = setTimeout(look, lookEveryMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Text that a stream holds, up to a limit beyond which the process is ended. */
export function readUpTo(
  stream: Readable,
  maxBytes: number,
  onExcess: (why: ToolError) => void,
): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else onExcess(tooMuchOutput(maxBytes));
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

export function tooMuchOutput(maxBytes: number): ToolError {
  return tooMuch(`more than ${Math.round(maxBytes / 2 ** 10)} kB of output`);
}

function tooMuchMemory({ maxMemoryBytes }: MadeLimits): ToolError {
  return tooMuch(`more than ${Math.round(maxMemoryBytes / 2 ** 20)} MB of memory`);
}

function tooMuch(what: string): ToolError {
  return new ToolError("tool-failed", `the tool was ended: it used ${what}`, {
    hint: "Make the tool do less, or do the work with other tools.",
  });
}

/** In the units of bash: kilobytes, seconds and counts. No core dump; hardly any file, even without a disk. */
function setLimits({ maxMemoryBytes, maxCpuSeconds }: MadeLimits, reservedBytes: number): string {
  const kilobytes = Math.round((maxMemoryBytes + reservedBytes) / 1024);
  return `ulimit -c 0 -n 64 -f 256 -t ${maxCpuSeconds} -d ${kilobytes}`;
}

export function noSandbox(reason = "it was switched off"): ToolError {
  return new ToolError("unavailable", `made tools run only in a sandbox, and there is none: ${reason}`, {
    hint: "Install bubblewrap (Linux), or do the work with other tools.",
  });
}

function quote(errors: string): string {
  const last = errors.trim().split("\n").slice(-3).join(" / ");
  return last === "" ? "" : ` (${last})`;
}

const maxErrorCharacters = 2000;
const lookEveryMs = 25;

// An engine has a dozen threads. How many processes there may be is counted; this is for between two looks.
const maxTasksEach = 16;
