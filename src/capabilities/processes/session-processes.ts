import { rm } from "node:fs/promises";
import { type Bounds, mayWidenTo } from "../../kernel/policy/index.ts";
import { widerProfile } from "../../machine/sandbox/index.ts";
import type { CommandOutcome, Job, RunOptions, StartOptions } from "../../tool/services/processes.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { commandOutcome, notesOnDenial, notesOnEnd, reasonOf } from "./command-outcome.ts";
import type { StartRunning } from "./jobs/job-start.ts";
import type { Jobs } from "./jobs/open-jobs.ts";
import { type PreparingParts, type ProcessUse, prepareCommands } from "./prepare-commands.ts";

export interface SessionProcessesParts extends PreparingParts {
  readonly jobs: Jobs;
  readonly start: StartRunning;
  /** After this time, a running command becomes a job. Default: never. */
  readonly backgroundAfterMs?: number | undefined;
}

/** The commands of one session, in the foreground and in the background. */
export function createSessionProcesses(parts: SessionProcessesParts) {
  const { jobs, sandbox, directory } = parts;
  const { admit, specOf } = prepareCommands(parts);
  const foreground = new Map<string, () => Promise<Job>>();

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
    const spec = await specOf(command, bounds, { use, isKept: false, hasTerminal: terminal });
    const starting = parts.start(spec, { terminal });
    const moved = Promise.withResolvers<Job>();
    const adopt = async () => {
      const job = jobs.adopt(await starting, { command, hasTerminal: terminal });
      moved.resolve(job);
      return job;
    };
    // Set before the command starts, so that it can be moved as soon as it prints something.
    foreground.set(use.callId, adopt);
    const after = given.backgroundAfterMs ?? parts.backgroundAfterMs;
    // If there are too many jobs, the command stays in the foreground.
    const timer = after === undefined ? undefined : setTimeout(() => adopt().catch(() => {}), after);
    try {
      const running = await starting;
      const won = await Promise.race([running.ended, moved.promise, whenAborted(use.signal)]);
      if (won === "aborted") await running.stop();
      else if ("id" in won)
        return commandOutcome(running, { bounds, directory: directory.path, job: won, maxCharacters });
      const end = await running.ended;
      // Another program, such as git when it changes branches, moved or removed folders while the sandbox was made.
      if (end.hasStarted === false && won !== "aborted" && triesLeft > 0) {
        clearTimeout(timer);
        await rm(spec.outputFile, { force: true }).catch(() => {});
        return await runWithin(bounds, use, command, given, triesLeft - 1);
      }
      const notes = [...notesOnEnd(end), ...notesOnDenial(running, end, { sandbox, bounds })];
      if (end.planted.length > 0) use.onPlanted(end.planted.map(({ path }) => path));
      const { finalDirectory = bounds.directory } = end;
      if (finalDirectory !== bounds.directory) notes.push(...(await directory.follow(finalDirectory)));
      const endedBy = won === "aborted" ? reasonOf(use.signal) : undefined;
      const outcome = commandOutcome(running, {
        ...{ bounds, directory: directory.path, end, notes, endedBy, maxCharacters },
      });
      // The result holds the whole output, so the file is not needed; thousands of them would fill the disk.
      if (outcome.outputFile === undefined) await rm(spec.outputFile, { force: true }).catch(() => {});
      return outcome;
    } finally {
      clearTimeout(timer);
      foreground.delete(use.callId);
    }
  };

  return {
    run,
    async start(use: ProcessUse, command: string, given: StartOptions = {}): Promise<Job> {
      const { terminal = false, keep = false, timeoutMs } = given;
      const bounds = await admit(use, command, given.directory);
      const spec = await specOf(command, bounds, { use, isKept: keep, hasTerminal: terminal });
      // A job's output is read on request, so its lines are not reported.
      return jobs.start({ ...spec, onLines: undefined, terminal, keep, timeoutMs });
    },
    /** Turns the command that a call waits for into a job, so that the call returns. */
    async moveToBackground(callId: string): Promise<Job> {
      const adopt = foreground.get(callId);
      if (adopt !== undefined) return adopt();
      throw new ToolError("not-found", `call ${callId} has no running command`);
    },
  };
}

const maxStarts = 5;

function whenAborted(signal: AbortSignal): Promise<"aborted"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("aborted");
    else signal.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
}
