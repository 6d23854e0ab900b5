import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Bounds, boxOf, mayWidenTo } from "../../kernel/policy/bounds.ts";
import { describePlanted, type PlantedEntry } from "../../machine/sandbox/planted/planted-entry.ts";
import { recognizeDenial, widerProfile } from "../../machine/sandbox/recognize-denial.ts";
import type { Sandbox, SandboxBounds } from "../../machine/sandbox/sandbox.ts";
import { DeadlineReached } from "../../shared/deadline.ts";
import { newId } from "../../shared/new-id.ts";
import type { CommandOutcome, Job, RunOptions, StartOptions } from "../../tool/services/processes.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type {
  CommandEnd,
  CommandSpec,
  FilePlace,
  KeptPart,
  RunningCommand,
} from "./command/running-command.ts";
import type { Jobs } from "./jobs/open-jobs.ts";
import type { ProcessUse } from "./process-use.ts";

/** The commands and jobs of one session, and its current directory. */
export interface SessionProcesses {
  readonly jobs: Jobs;
  /** The absolute directory for a command's `directory` option, or for none; throws if it is outside the workspace. */
  locate(directory: string | undefined): Promise<string>;
  run(use: ProcessUse, command: string, options?: RunOptions): Promise<CommandOutcome>;
  start(use: ProcessUse, command: string, options?: StartOptions): Promise<Job>;
  /** Turns the command that a call waits for into a job, so that the call returns. */
  moveToBackground(callId: string): Promise<Job>;
}

export interface SessionProcessesOptions {
  readonly sandbox: Sandbox;
  /** Files hidden from read-only commands. */
  readonly sensitiveNames: readonly string[];
  readonly jobs: Jobs;
  /** Initial current directory: where an earlier run's last command ended. */
  readonly directory: string;
  /** Used when the current directory is gone. */
  readonly root: string;
  readonly onDirectory: (directory: string) => void;
  /** Returns the absolute path with links resolved; throws if it is outside the workspace or not a directory. */
  readonly resolveDirectory: (path: string, from: string) => Promise<string>;
  readonly environment: Readonly<Record<string, string>>;
  readonly outputFolder: string;
  /** Marks every process that its commands start. */
  readonly marker: string;
  readonly maxOutputFileBytes: number;
  /** After this time, a running command becomes a job. Default: never. */
  readonly backgroundAfterMs?: number | undefined;
  /** Throws if the session belongs to another process by now. Asked before each command. */
  readonly confirmOwner: () => void;
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

  /** If the current directory is gone, throws once instead of running the command somewhere unexpected. */
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

  /** Resolves the directory again: it may have become a link while a person was being asked. */
  const admit = async (use: ProcessUse, command: string, given: string | undefined): Promise<Bounds> => {
    const bounds = await use.gate.run(command, given);
    const now = await options.resolveDirectory(bounds.directory, bounds.directory);
    if (now === bounds.directory) {
      sandbox.acceptSubmodules(bounds.enters ?? []);
      return bounds;
    }
    throw new ToolError(
      "conflict",
      `${bounds.directory} now leads to ${now}; it changed after the command was checked`,
    );
  };

  /** Makes the command's last directory the current one, unless it is out of bounds. */
  const follow = async ({ finalDirectory }: CommandEnd, start: string, notes: string[]) => {
    if (finalDirectory === undefined || finalDirectory === start) return;
    try {
      move(await options.resolveDirectory(finalDirectory, directory));
    } catch (error) {
      notes.push(`The next command starts in ${directory} again: ${(error as Error).message}.`);
    }
  };

  const specOf = async (
    command: string,
    bounds: Bounds,
    { use, isKept, isTerminal }: { use: ProcessUse; isKept: boolean; isTerminal: boolean },
  ) => {
    const box = boxOf(bounds, { isKept, hasTerminal: isTerminal });
    const bound = await bindTo(command, use.secrets);
    options.confirmOwner();
    use.onStart(describeBounds(sandbox, box));
    return {
      command,
      directory: bounds.directory,
      ...bound,
      environment: { ...options.environment, ...bound?.environment },
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
    if (wider === undefined || !mayWidenTo(wider, bounds)) return outcome;
    const allowedBy = await use.requestEscalation(wider, outcome.notes.join(" "));
    if (allowedBy === undefined) return outcome;
    // Rules may have changed while the person was deciding.
    const renewed = await admit(use, command, given.directory).catch((error: unknown) => {
      if (error instanceof ToolError) return error;
      throw error;
    });
    if (renewed instanceof ToolError || !mayWidenTo(wider, renewed)) {
      const why = renewed instanceof ToolError ? renewed.message : `a rule keeps it from profile ${wider}`;
      return { ...outcome, notes: [...outcome.notes, `It did not run again: ${why}.`] };
    }
    const again = await runWithin({ ...renewed, profile: wider }, use, command, given);
    return {
      ...again,
      notes: [...again.notes, `It ran again in profile ${wider}, approved by ${allowedBy}.`],
    };
  };

  const runWithin = async (
    bounds: Bounds,
    use: ProcessUse,
    command: string,
    given: RunOptions,
    triesLeft = maxStarts - 1,
  ): Promise<CommandOutcome> => {
    const { terminal = false, maxCharacters } = given;
    const spec = await specOf(command, bounds, { use, isKept: false, isTerminal: terminal });
    const starting = options.start(spec, { terminal });
    const moved = Promise.withResolvers<Job>();
    const adopt = async () => {
      const job = jobs.adopt(await starting, { command, hasTerminal: terminal });
      moved.resolve(job);
      return job;
    };
    // Set before the command starts, so that it can be moved as soon as it prints something.
    foreground.set(use.callId, adopt);
    const after = given.backgroundAfterMs ?? options.backgroundAfterMs;
    // If there are too many jobs, the command stays in the foreground.
    const timer = after === undefined ? undefined : setTimeout(() => adopt().catch(() => {}), after);
    try {
      const running = await starting;
      const won = await Promise.race([running.ended, moved.promise, whenAborted(use.signal)]);
      if (won === "aborted") await running.stop();
      if (won !== "aborted" && "id" in won)
        return outcomeOf(running, { bounds, directory, job: won, maxCharacters });
      const end = await running.ended;
      // Another program, such as git when it changes branches, moved or removed folders while the sandbox was made.
      if (end.hasStarted === false && won !== "aborted" && triesLeft > 0) {
        clearTimeout(timer);
        await rm(spec.outputFile, { force: true }).catch(() => {});
        return await runWithin(bounds, use, command, given, triesLeft - 1);
      }
      const notes = [...describeEnd(end), ...denialOf(running, end, { ...options, bounds })];
      if (end.planted) use.onPlanted(end.planted.map(({ path }) => path));
      await follow(end, bounds.directory, notes);
      const endedBy = won === "aborted" ? reasonOf(use.signal) : undefined;
      const outcome = outcomeOf(running, { bounds, directory, end, notes, endedBy, maxCharacters });
      // The result holds the whole output, so the file is not needed; thousands of them would fill the disk.
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
    // A job's output is read on request, so its lines are not reported.
    const { onLines: _onLines, ...spec } = await specOf(command, bounds, {
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
      throw new ToolError("not-found", `call ${callId} has no running command`);
    },
  };
}

const maxStarts = 5;

/** The variables are for this command alone; the next one's environment has none of them. */
async function bindTo(
  command: string,
  secrets: ProcessUse["secrets"],
): Promise<Pick<CommandSpec, "script" | "environment" | "masks"> | undefined> {
  if (secrets === undefined) return undefined;
  const { bindSecrets } = await import("../../machine/shell-syntax/bind-secrets.ts");
  const { script, variables } = await bindSecrets(command, secrets).catch((cause: Error) => {
    throw new ToolError("invalid-input", `the command cannot be given its secret: ${cause.message}`, {
      hint: "Nothing was run. Use the secret as a word of its own, in quotes or without.",
      cause,
    });
  });
  return { script, environment: variables, masks: [...secrets.values()] };
}

function lostDirectory(error: unknown, root: string): unknown {
  if (!(error instanceof ToolError)) return error;
  return new ToolError(error.code, `the current directory is no longer usable: ${error.message}`, {
    hint: `Run the command again; it starts in ${root}.`,
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
  readonly maxCharacters: number | undefined;
}

function outcomeOf(running: RunningCommand, parts: OutcomeParts): CommandOutcome {
  const { bounds, directory, end, notes = [], endedBy, job, maxCharacters } = parts;
  const { stdout, stderr, file, isFileCapped } = running.output({
    maxCharacters,
    keep: keptOf(bounds.category),
  });
  const isCut = stdout.omittedBytes + stderr.omittedBytes > 0 || stdout.binary || stderr.binary;
  const omittedFrom = firstOf(stdout.omittedFrom, stderr.omittedFrom);
  return {
    exitCode: end?.exitCode ?? null,
    signal: end?.signal ?? null,
    stdout: stdout.text,
    stderr: stderr.text,
    omitted: { stdout: stdout.omittedBytes, stderr: stderr.omittedBytes },
    ...(omittedFrom && { omittedFrom }),
    elapsedMs: Math.round(end?.elapsedMs ?? 0),
    directory,
    notes,
    ...(bounds.category !== undefined && { category: bounds.category }),
    ...(endedBy !== undefined && { endedBy }),
    ...(job !== undefined && { job }),
    ...(isCut && { outputFile: file, isFileCapped }),
  };
}

/** The end of a listing or of search results says nothing about the whole; that of a build or a log often says most. */
function keptOf(category: string | undefined): KeptPart {
  return category === "search" || category === "list" ? "head" : "head-and-tail";
}

function firstOf(one: FilePlace | undefined, other: FilePlace | undefined): FilePlace | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.line < one.line ? other : one;
}

function describeEnd({ leftOpen, planted = [] }: CommandEnd): string[] {
  return [
    ...(leftOpen
      ? ["Processes it started are still running; what they print from now on is not captured."]
      : []),
    ...(planted.length > 0
      ? [`${tellPlanted(planted)} Tell the user, who should look at it before using it.`]
      : []),
  ];
}

function tellPlanted(planted: readonly PlantedEntry[]): string {
  const told = planted.slice(0, maxTold).map(describePlanted).join(", ");
  const more = planted.length > maxTold ? ` and ${planted.length - maxTold} more` : "";
  return `It made or changed what may run as code later: ${told}${more}.`;
}

const maxTold = 10;

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
  return denial === undefined ? [] : [`${denial} If the command needs this, ${waysOut[bounds.profile]}.`];
}

const byPath = "name the path in the command itself, so that a person can be asked to approve it";

/** What can be asked for, by profile; no argument widens `network`. */
const waysOut: Record<Bounds["profile"], string> = {
  "read-only": "ask for more with the argument rights",
  "workspace-write": `ask for the network with the argument rights, or ${byPath}`,
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
