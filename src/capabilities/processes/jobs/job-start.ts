import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { StartableProgram } from "../../../machine/sandbox/index.ts";
import { entryFile } from "../../../shared/entry-file.ts";
import { bareEnvironment, joinMarker } from "../../../shared/process-environment.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { checkCommand } from "../command/check-command.ts";
import { createCommandSupplies } from "../command/command-supplies.ts";
import type { CommandSpec, RunningCommand } from "../command/running-command.ts";
import { shellProgram } from "../command/shell-program.ts";
import { prologuePath } from "../command/shell-prologue.ts";
import { attachSupervisor } from "../supervisor/supervisor-attach.ts";
import { parseAnswer, type SupervisorOrder } from "../supervisor/supervisor-order.ts";
import { type JobFolder, writeStatus } from "./job-folder.ts";
import { controlCommand, type JobProcess } from "./job-process.ts";
import type { JobRecord } from "./job-record.ts";

export type StartRunning = (spec: CommandSpec, options: { terminal: boolean }) => Promise<RunningCommand>;

export interface JobStart {
  readonly spec: CommandSpec;
  /** Everything known before the process exists. */
  readonly record: Omit<JobRecord, "identity">;
  readonly folder: JobFolder;
  readonly timeoutMs: number | undefined;
}

/** Starts a job that ends with its session. */
export async function startAttachedJob(
  { spec, record, folder, timeoutMs }: JobStart,
  start: StartRunning,
): Promise<JobProcess> {
  const running = await start(spec, { terminal: record.hasTerminal });
  const held = controlCommand(running, timeoutMs);
  try {
    // If this process dies now, the session's log may not have the job yet.
    await writeStatus(folder.statusFile, { record: { ...record, identity: running.identity } });
  } catch (error) {
    await held.stop("killed");
    throw error;
  }
  return held;
}

/** Starts a job that outlives its session, under a supervisor. Its lines are not reported as they arrive. */
export async function startDetachedJob(
  { spec, record, folder, timeoutMs }: JobStart,
  detached: AbortSignal,
): Promise<JobProcess> {
  if (record.hasTerminal) {
    throw new ToolError("unsupported", "a job with a terminal cannot outlive its session", {
      hint: "Start it without a terminal, or without keeping it.",
    });
  }
  checkCommand(spec.command);
  const { wrap, onLines: _onLines, ...command } = spec;
  const wrapped = await wrap?.(await programOf(spec));
  const finish = async () => wrapped?.finish?.();
  try {
    const descriptors = wrapped?.descriptors ?? [];
    const order = {
      record,
      statusFile: folder.statusFile,
      command,
      wrapped: wrapped && {
        ...{ file: wrapped.file, args: wrapped.args, environment: wrapped.environment },
        descriptorCount: descriptors.length,
      },
      timeoutMs,
    };
    // Must release before `gone` resolves and calls `finish`, which may happen immediately.
    const { identity, gone } = await startSupervisor(order, descriptors).finally(() => wrapped?.release());
    gone.then(finish).catch(() => {});
    return attachSupervisor(identity, { statusFile: folder.statusFile, gone, detached });
  } catch (error) {
    await finish();
    throw error;
  }
}

/** The program is wrapped here but started by the supervisor, so it gets the environment it will have there. */
async function programOf({
  command,
  script = command,
  environment,
  marker = "kept",
}: CommandSpec): Promise<StartableProgram> {
  return shellProgram(script, {
    shell: await createCommandSupplies().shell(),
    environment: { ...environment, BASH_ENV: prologuePath },
    marker: joinMarker(marker, "wrapped"),
  });
}

/**
 * Starts a job under a supervisor, detached, so that the end of this process does not end the job: the processes of the room
 * `machine/child` are those that end with this one. `gone` resolves when the supervisor has ended.
 */
async function startSupervisor(order: SupervisorOrder, descriptors: readonly number[]) {
  const child = spawn(process.execPath, [...smallHeap, supervisorFile], {
    detached: true,
    cwd: "/",
    env: bareEnvironment,
    stdio: ["pipe", "pipe", "ignore", "ignore", ...descriptors],
  });
  const gone = new Promise((resolve) => child.once("exit", resolve).once("error", resolve));
  const { stdin, stdout } = child as ChildProcessByStdio<Writable, Readable, null>;
  const deadline = setTimeout(() => child.kill("SIGTERM"), maxStartMs);
  try {
    stdin.on("error", () => {}).end(JSON.stringify(order));
    const answer = parseAnswer(await text(stdout));
    if ("failure" in answer)
      throw new ToolError("unavailable", `the job could not be started: ${answer.failure}`);
    child.unref();
    return { identity: answer.identity, gone };
  } catch (error) {
    child.kill("SIGTERM");
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

const supervisorFile = entryFile(import.meta.url, {
  source: "../supervisor/supervisor-main.ts",
  built: "supervisor",
});

// It only moves bytes from a pipe to a file, and there may be many supervisors.
const smallHeap = ["--max-old-space-size=32", "--max-semi-space-size=1", "--v8-pool-size=1"];
const maxStartMs = 30_000;
