import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DeadlineReached } from "../../../shared/deadline.ts";
import { newId } from "../../../shared/new-id.ts";
import type { CommandOutcome, Job, RunOptions, StartOptions } from "../../../tool/services/processes.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Bounds } from "../../policy/bounds.ts";
import { recognizeDenial, widerProfile } from "../../sandbox/recognize-denial.ts";
import type { Sandbox, SandboxBounds } from "../../sandbox/sandbox.ts";
import type { CommandEnd, CommandSpec, RunningCommand } from "./command/running-command.ts";
import type { Jobs } from "./jobs/open-jobs.ts";
import type { ProcessUse } from "./process-use.ts";

/** The processes of one session: where its commands run, what they left running, and how a call uses them. */
export interface SessionProcesses {
  readonly jobs: Jobs;
  /** Where a command runs that is given this directory, or none; refuses what is outside. */
  locate(directory: string | undefined): Promise<string>;
  run(use: ProcessUse, command: string, options?: RunOptions): Promise<CommandOutcome>;
  start(use: ProcessUse, command: string, options?: StartOptions): Promise<Job>;
  /** Lets the command that a call waits for go on as a job, and the call be answered. */
  moveToBackground(callId: string): Promise<Job>;
}

export interface SessionProcessesOptions {
  readonly sandbox: Sandbox;
  /** What a command that only reads does not get to see. */
  readonly sensitiveNames: readonly string[];
  readonly jobs: Jobs;
  /** Where the last command of an earlier run ended. */
  readonly directory: string;
  /** Where commands start when that is gone. */
  readonly root: string;
  readonly onDirectory: (directory: string) => void;
  /** Absolute, after links were followed; throws for what is outside the workspace or no directory. */
  readonly resolveDirectory: (path: string, from: string) => Promise<string>;
  readonly environment: Readonly<Record<string, string>>;
  readonly outputFolder: string;
  /** By which everything its commands started can be found again. */
  readonly marker: string;
  readonly maxOutputFileBytes: number;
  /** After how long a command goes on as a job by itself; never by default. */
  readonly backgroundAfterMs?: number | undefined;
  readonly start: (spec: CommandSpec, options: { terminal: boolean }) => Promise<RunningCommand>;
}

export function createSessionProcesses(options: SessionProcessesOptions): SessionProcesses {
  const { jobs, sandbox } = options;
  let directory = options.directory;
  const foreground = new Map<string, () => Promise<Job>>();

  const move = (to: string) => {
    directory = to;
    options.onDirectory(to);
  };

  /** A command that was meant for a directory that is gone since, or leads elsewhere, must not run in another. */
  const locate = async (given: string | undefined) => {
    if (given !== undefined) return options.resolveDirectory(given, directory);
    const last = directory;
    try {
      return await options.resolveDirectory(last, last);
    } catch (error) {
      move(options.root);
      throw lostDirectory(error, options.root);
    }
  };

  /** While somebody was asked, the directory may have become a link. */
  const admit = async (use: ProcessUse, command: string, given: string | undefined): Promise<Bounds> => {
    const bounds = await use.gate.run(command, given);
    const now = await options.resolveDirectory(bounds.directory, bounds.directory);
    if (now === bounds.directory) return bounds;
    throw new ToolError("conflict", `${bounds.directory} leads to ${now} since the command was decided on`);
  };

  /** The next command starts where one went that did not stay, unless that is out of bounds. */
  const follow = async ({ finalDirectory }: CommandEnd, start: string, notes: string[]) => {
    if (finalDirectory === undefined || finalDirectory === start) return;
    try {
      move(await options.resolveDirectory(finalDirectory, directory));
    } catch (error) {
      notes.push(`The next command starts in ${directory} again: ${(error as Error).message}.`);
    }
  };

  const specOf = (
    command: string,
    bounds: Bounds,
    { use, isKept, isTerminal }: { use: ProcessUse; isKept: boolean; isTerminal: boolean },
  ) => {
    const box: SandboxBounds = {
      profile: bounds.profile,
      directory: bounds.directory,
      readable: bounds.readable,
      writable: bounds.writable,
      isKept,
      hasTerminal: isTerminal,
    };
    use.onStart(describeBounds(sandbox, box));
    return {
      command,
      directory: bounds.directory,
      environment: options.environment,
      wrap: (program) => sandbox.wrap(program, box),
      marker: options.marker,
      outputFile: join(options.outputFolder, `${newId("output")}.txt`),
      maxOutputFileBytes: options.maxOutputFileBytes,
      onLines: use.onLines,
    } satisfies CommandSpec;
  };

  const run = async (use: ProcessUse, command: string, given: RunOptions = {}): Promise<CommandOutcome> => {
    const bounds = await admit(use, command, given.directory);
    const outcome = await runWithin(bounds, use, command, given);
    const wider =
      sandbox.kind === "none" || outcome.endedBy || outcome.job ? undefined : widerProfile(outcome, bounds);
    if (wider === undefined) return outcome;
    const allowedBy = await use.requestEscalation(wider, outcome.notes.join(" "));
    if (allowedBy === undefined) return outcome;
    const again = await runWithin({ ...bounds, profile: wider }, use, command, given);
    return {
      ...again,
      notes: [...again.notes, `It was run again in profile ${wider}, as ${allowedBy} approved.`],
    };
  };

  const runWithin = async (
    bounds: Bounds,
    use: ProcessUse,
    command: string,
    given: RunOptions,
  ): Promise<CommandOutcome> => {
    const { terminal = false } = given;
    const spec = specOf(command, bounds, { use, isKept: false, isTerminal: terminal });
    const starting = options.start(spec, { terminal });
    const moved = Promise.withResolvers<Job>();
    const adopt = async () => {
      const job = jobs.adopt(await starting, { command, hasTerminal: terminal });
      moved.resolve(job);
      return job;
    };
    // Before it has started: what it prints first may be what somebody moves it for.
    foreground.set(use.callId, adopt);
    const after = given.backgroundAfterMs ?? options.backgroundAfterMs;
    // A job too many is refused; the command then stays where it is.
    const timer = after === undefined ? undefined : setTimeout(() => adopt().catch(() => {}), after);
    try {
      const running = await starting;
      const won = await Promise.race([running.ended, moved.promise, whenAborted(use.signal)]);
      if (won === "aborted") await running.stop();
      if (won !== "aborted" && "id" in won) return outcomeOf(running, { bounds, directory, job: won });
      const end = await running.ended;
      const notes = [...describeEnd(end), ...denialOf(running, end, { ...options, bounds })];
      await follow(end, bounds.directory, notes);
      const endedBy = won === "aborted" ? reasonOf(use.signal) : undefined;
      const outcome = outcomeOf(running, { bounds, directory, end, notes, endedBy });
      // Nobody was told of a file that holds no more than the answer, and thousands of them would fill the disk.
      if (outcome.outputFile === undefined) await rm(spec.outputFile, { force: true }).catch(() => {});
      return outcome;
    } finally {
      clearTimeout(timer);
      foreground.delete(use.callId);
    }
  };

  const start = async (use: ProcessUse, command: string, given: StartOptions = {}): Promise<Job> => {
    const bounds = await admit(use, command, given.directory);
    const { terminal = false, keep = false } = given;
    // Who started a job reads its output when they want to; nobody waits for its lines.
    const { onLines: _onLines, ...spec } = specOf(command, bounds, {
      use,
      isKept: keep,
      isTerminal: terminal,
    });
    return jobs.start({
      ...spec,
      terminal,
      keep,
      ...(given.timeoutMs !== undefined && { timeoutMs: given.timeoutMs }),
    });
  };

  return {
    jobs,
    locate,
    run,
    start,
    async moveToBackground(callId) {
      const adopt = foreground.get(callId);
      if (adopt !== undefined) return adopt();
      throw new ToolError("not-found", `no command of call ${callId} is being waited for`);
    },
  };
}

function lostDirectory(error: unknown, root: string): unknown {
  if (!(error instanceof ToolError)) return error;
  return new ToolError(error.code, `where the last command ended, none can start now: ${error.message}`, {
    hint: `The next command starts in ${root}.`,
    cause: error,
  });
}

type EndedBy = NonNullable<CommandOutcome["endedBy"]>;

interface OutcomeParts {
  readonly bounds: Bounds;
  readonly directory: string;
  readonly end?: CommandEnd;
  readonly notes?: readonly string[];
  readonly endedBy?: EndedBy | undefined;
  readonly job?: Job;
}

function outcomeOf(running: RunningCommand, parts: OutcomeParts): CommandOutcome {
  const { bounds, directory, end, notes = [], endedBy, job } = parts;
  const { stdout, stderr, file, isFileCapped } = running.output();
  const isCut = stdout.omittedBytes + stderr.omittedBytes > 0 || stdout.binary || stderr.binary;
  return {
    exitCode: end?.exitCode ?? null,
    signal: end?.signal ?? null,
    stdout: stdout.text,
    stderr: stderr.text,
    omitted: { stdout: stdout.omittedBytes, stderr: stderr.omittedBytes },
    elapsedMs: Math.round(end?.elapsedMs ?? 0),
    directory,
    notes,
    ...(bounds.category !== undefined && { category: bounds.category }),
    ...(endedBy !== undefined && { endedBy }),
    ...(job !== undefined && { job }),
    ...(isCut && { outputFile: file, isFileCapped }),
  };
}

function describeEnd({ leftOpen }: CommandEnd): string[] {
  if (!leftOpen) return [];
  return ["What it started lives on and holds its output open; what that prints from now on is not kept."];
}

function denialOf(
  running: RunningCommand,
  { exitCode }: CommandEnd,
  {
    bounds,
    sandbox,
    sensitiveNames,
  }: Pick<SessionProcessesOptions, "sandbox" | "sensitiveNames"> & { bounds: Bounds },
): string[] {
  if (sandbox.kind === "none") return [];
  const failed = { exitCode, stderr: running.output().stderr.text };
  const denial = recognizeDenial(failed, bounds, sensitiveNames);
  return denial === undefined ? [] : [`${denial} If it is needed, ${waysOut[bounds.profile]}.`];
}

const byPath = "name the path in the command itself, so that the person can be asked";

/** What there is to ask for: no argument gives more than the widest profile. */
const waysOut: Record<Bounds["profile"], string> = {
  "read-only": "ask for more by the argument rights",
  "workspace-write": `ask for the network by the argument rights, or ${byPath}`,
  network: byPath,
};

function describeBounds({ kind, reason }: Sandbox, { profile }: SandboxBounds): string {
  return kind === "none" ? `none: ${reason}` : `${profile} (${kind})`;
}

function reasonOf({ reason }: AbortSignal): EndedBy {
  return reason instanceof DeadlineReached ? "timeout" : "caller";
}

function whenAborted(signal: AbortSignal): Promise<"aborted"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("aborted");
    else signal.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
}
