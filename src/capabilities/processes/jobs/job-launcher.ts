import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { ProcessLife } from "../../../kernel/store/index.ts";
import { readProcessVariable } from "../../../machine/child/index.ts";
import { isoTime } from "../../../shared/iso-time.ts";
import { newId } from "../../../shared/new-id.ts";
import { joinMarker, markerVariable } from "../../../shared/process-environment.ts";
import type { Job } from "../../../tool/services/processes.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { CommandSpec, RunningCommand } from "../command/running-command.ts";
import { claimJobFolder, jobId } from "./job-folder.ts";
import { controlCommand } from "./job-process.ts";
import type { JobRecord } from "./job-record.ts";
import { type StartRunning, startAttachedJob, startDetachedJob } from "./job-start.ts";
import type { JobTable } from "./job-table.ts";

export interface JobSpec extends Omit<CommandSpec, "outputFile" | "maxOutputFileBytes"> {
  readonly outputFile?: string;
  readonly maxOutputFileBytes?: number;
  /** The job is ended after this time. */
  readonly timeoutMs?: number | undefined;
  /** The job keeps running when the session or the runtime ends. */
  readonly keep?: boolean;
  readonly terminal?: boolean;
}

export interface LauncherParts {
  readonly table: JobTable;
  /** For the jobs' files. */
  readonly folder: string;
  readonly owner: ProcessLife;
  readonly start: StartRunning;
  readonly maxLive: number;
  /** Aborted when the jobs that outlive the session are not followed any longer. */
  readonly detached: AbortSignal;
  /** The highest number that a job has. */
  readonly lastNumber: number;
}

/** Adds jobs to the table of a session. */
export function createJobLauncher(parts: LauncherParts) {
  const { table, folder, owner, start, maxLive, detached } = parts;
  const run = newId("jobs");
  const markers = new Set<string>();
  const starting = new Set<Promise<unknown>>();
  let { lastNumber } = parts;
  let isClosed = false;

  const nextNumber = () => {
    lastNumber += 1;
    return lastNumber;
  };
  /** The marker shared by all jobs that end with this session, appended to the given one. */
  const ownMarker = (given: string | undefined) => {
    const marker = given === undefined ? run : joinMarker(given, run);
    markers.add(marker);
    return marker;
  };
  const newRecord = (id: string, command: string, outputFile: string) =>
    ({
      ...{ id, command, state: "running", exitCode: null, signal: null, startedAt: isoTime() },
      ...{ isKept: false, hasTerminal: false, outputFile, owner },
    }) satisfies Omit<JobRecord, "identity">;
  const refuseIfClosed = () => {
    if (isClosed) throw new ToolError("session-closed", "the session is closed, and so are its jobs");
  };
  const admit = () => {
    refuseIfClosed();
    if (table.running().length + starting.size < maxLive) return;
    throw new ToolError("unavailable", `${maxLive} background jobs are already running, which is the limit`, {
      hint: "Stop one of them, or wait until one ends.",
      retryable: true,
    });
  };

  const startJob = async (spec: JobSpec): Promise<Job> => {
    const { timeoutMs, keep = false, terminal = false, ...command } = spec;
    const claimed = await claimJobFolder(folder, nextNumber);
    const { outputFile = claimed.outputFile, maxOutputFileBytes = defaultOutputBytes } = spec;
    // A kept job must not be taken for a leftover of this run.
    const marker = keep ? newId("job") : joinMarker(ownMarker(spec.marker), newId("job"));
    const record = {
      ...newRecord(claimed.id, spec.command, outputFile),
      ...{ isKept: keep, hasTerminal: terminal, marker, maxOutputFileBytes },
    };
    const begin = {
      spec: { ...command, outputFile, maxOutputFileBytes, marker },
      ...{ record, folder: claimed, timeoutMs },
    };
    try {
      const process = await (keep ? startDetachedJob(begin, detached) : startAttachedJob(begin, start));
      return table.add({ ...record, identity: process.identity }, process, { isNew: true });
    } catch (error) {
      await rm(dirname(claimed.statusFile), { recursive: true, force: true });
      throw error;
    }
  };

  return {
    /** The markers of all jobs that end with this session. */
    markers: markers as ReadonlySet<string>,
    refuseIfClosed,
    /** Resolves as soon as the job runs. */
    async start(spec: JobSpec): Promise<Job> {
      admit();
      const work = startJob(spec);
      starting.add(work);
      try {
        return await work;
      } finally {
        starting.delete(work);
      }
    },
    /** Turns a running foreground command into a job, keeping its output so far. */
    adopt(
      command: RunningCommand,
      { command: text, hasTerminal = false }: { command: string; hasTerminal?: boolean },
    ): Job {
      admit();
      const { identity } = command;
      const id = jobId(nextNumber());
      const outputFile = command.output().file;
      const record = { ...newRecord(id, text, outputFile), identity, hasTerminal };
      const job = table.add(record, controlCommand(command), { isNew: true });
      // Lets a later run find every process the command started.
      readProcessVariable(identity.pid, markerVariable).then((marker) => {
        if (marker !== undefined) table.amend(id, { marker });
      });
      return job;
    },
    /** Starts no more jobs; resolves when those that are being started run. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.allSettled(starting);
    },
  };
}

const defaultOutputBytes = 32 * 2 ** 20;
