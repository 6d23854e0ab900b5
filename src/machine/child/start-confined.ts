import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Confining } from "../sandbox/index.ts";
import { type Child, type ChildEnd, type ChildParts, watchChild } from "./child.ts";
import { lineChannel } from "./child-channel.ts";
import { enterGroup, openControlGroup } from "./control-group.ts";

/** A program of code that may want harm. */
export interface ConfinedStart {
  readonly args: readonly string[];
  /** Absent for a program that gets no variable at all. A shell also gets those it cannot work without. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Whether the program takes questions and answers them, on descriptor 3. Without it, the program's output is kept.
   */
  readonly hasChannel?: boolean;
  readonly input?: string;
  /** The memory that the program's engine reserves and never touches: the kernel counts it all the same. */
  readonly reservedBytes?: number;
}

/** The most that the program may use, with all that it starts. */
export interface ConfinedLimits {
  readonly maxMemoryBytes: number;
  readonly maxProcesses: number;
  readonly maxOutputBytes: number;
  /** The processor time of each process, over its whole life. */
  readonly maxCpuSeconds: number;
}

export interface ConfinedParts extends Pick<ChildParts, "judge" | "errors"> {
  readonly sandbox: Exclude<Confining, { kind: "none" }>;
  readonly limits: ConfinedLimits;
  /** The error for those who wait for it, with the last that it printed as errors. */
  readonly describe: (end: ChildEnd, errors: string) => unknown;
}

export interface ConfinedChild extends Child {
  readonly pid: number | undefined;
  output(): string;
  /** The last that it printed as errors. */
  lastErrors(): string;
}

/** Starts a program in the bare sandbox, with limits that the kernel enforces on each of its processes. */
export async function startConfined(
  { args, environment, hasChannel = false, input = "", reservedBytes = 0 }: ConfinedStart,
  { sandbox, limits, describe, ...judging }: ConfinedParts,
): Promise<ConfinedChild> {
  const limited = `${setLimits(limits, reservedBytes)}; exec ${environment ? "" : "-c "}"$@"`;
  const wrapped = await sandbox.wrap(
    {
      file: "/bin/bash",
      args: ["--norc", "--noprofile", "-p", "-c", limited, "bash", ...args],
      environment: { ...environment, PATH: "/usr/bin:/bin", LANG: "C.UTF-8" },
    },
    { profile: "read-only", directory: "/" },
  );
  const { maxMemoryBytes, maxProcesses, maxOutputBytes } = limits;
  const group = await openControlGroup({ maxMemoryBytes, maxTasks: maxProcesses * maxTasksEach });
  const [file, given] = group ? enterGroup(group, wrapped.file, wrapped.args) : [wrapped.file, wrapped.args];
  const start = () =>
    spawn(file, given, {
      cwd: "/",
      env: wrapped.environment,
      stdio: ["pipe", "pipe", "pipe", hasChannel ? "pipe" : "ignore", ...wrapped.descriptors],
    });
  let process: ReturnType<typeof start>;
  try {
    process = start();
  } finally {
    await wrapped.release();
  }
  let errors = "";
  process.stderr?.on("data", (chunk: Buffer) => {
    errors = `${errors}${chunk}`.slice(-maxErrorCharacters);
  });
  const child = watchChild(process, {
    ...judging,
    channel: hasChannel ? lineChannel(process.stdio[3] as Socket, maxOutputBytes) : undefined,
    limits: { maxMemoryBytes, maxProcesses, lookEveryMs: 25 },
    describe: (end) => describe(end, errors),
    // The processes inside end with the first one, because they are in its namespace.
    async finish() {
      const isFull = await group?.wasFull();
      await Promise.resolve(wrapped.finish?.()).catch(() => {});
      await group?.remove();
      return isFull ? { state: "over", limit: "memory" } : undefined;
    },
  });
  const output: Buffer[] = [];
  let bytes = 0;
  process.stdout?.on("data", (chunk: Buffer) => {
    if (hasChannel) return;
    bytes += chunk.length;
    if (bytes <= maxOutputBytes) output.push(chunk);
    else child.stop({ state: "over", limit: "output" });
  });
  process.stdin?.end(input);
  const printed = { output: () => Buffer.concat(output).toString("utf8"), lastErrors: () => errors };
  return Object.assign(child, printed, { pid: process.pid });
}

/**
 * The limits in the units of bash: kilobytes, seconds and counts. They allow no core dump and hardly any file, even
 * without a disk.
 */
function setLimits({ maxMemoryBytes, maxCpuSeconds }: ConfinedLimits, reservedBytes: number): string {
  const kilobytes = Math.round((maxMemoryBytes + reservedBytes) / 1024);
  return `ulimit -c 0 -n 64 -f 256 -t ${maxCpuSeconds} -d ${kilobytes}`;
}

const maxErrorCharacters = 2000;

// An engine has a dozen threads. How many processes there may be is counted; this is for between two looks.
const maxTasksEach = 16;
