import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readProcessVariable } from "../../../machine/child/process-table.ts";
import { endLeftovers, joinMarker } from "../../../machine/child/process-tree.ts";
import { markerVariable } from "../../../shared/command-marker.ts";
import { isoTime } from "../../../shared/iso-time.ts";
import { newId } from "../../../shared/new-id.ts";
import { isRunning, ownIdentity } from "../../../shared/process-identity.ts";
import type { Job, JobOutput, Readiness } from "../../../tool/services/processes.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { RunningCommand } from "../command/running-command.ts";
import { startCommand } from "../command/start-command.ts";
import { startTerminal, type TerminalSpec } from "../pty/pty-command.ts";
import { claimJobFolder, jobId, jobNumber } from "./job-folder.ts";
import { createJobOutputReader, type FilterLines, type OutputRequest } from "./job-output-reader.ts";
import { controlCommand } from "./job-process.ts";
import type { JobRecord } from "./job-record.ts";
import { type StartRunning, startAttachedJob, startDetachedJob } from "./job-start.ts";
import { createJobTable, type JobEntry, type JobEvent, toJob } from "./job-table.ts";
import { describeWait, type ReadinessRequest, waitUntilReady } from "./readiness.ts";
import { type JobOwners, restoreJobs } from "./restore-jobs.ts";

export interface JobsOptions {
  /** For the jobs' files: one folder per session, where commands may not write. */
  readonly folder: string;
  /** Records from earlier runs of the session, by id. */
  readonly known: ReadonlyMap<string, JobRecord>;
  onRecord(record: JobRecord): void;
  onEvent(event: JobEvent): void;
  readonly filterLines: FilterLines;
  readonly start?: StartRunning;
  readonly maxLive?: number;
  /** Default: this process, and those that this system shows. */
  readonly owners?: JobOwners;
}

export interface JobSpec extends Omit<TerminalSpec, "outputFile" | "maxOutputFileBytes"> {
  readonly outputFile?: string;
  readonly maxOutputFileBytes?: number;
  /** The job is ended after this time. */
  readonly timeoutMs?: number;
  /** The job keeps running when the session or the runtime ends. */
  readonly keep?: boolean;
  readonly terminal?: boolean;
}

/** Control over the background jobs of one session. */
export interface JobControl {
  list(): readonly Job[];
  get(id: string): Job;
  output(id: string, request?: OutputRequest): Promise<JobOutput & { readonly isCapped: boolean }>;
  waitFor(id: string, request: ReadinessRequest): Promise<Readiness>;
  kill(id: string): Promise<Job>;
  /** Types into a job's terminal. */
  write(id: string, text: string): void;
}

export interface Jobs extends JobControl {
  /** Resolves as soon as the job runs. */
  start(spec: JobSpec): Promise<Job>;
  /** Turns a running foreground command into a job, keeping its output so far. */
  adopt(running: RunningCommand, about: { command: string; hasTerminal?: boolean; timeoutMs?: number }): Job;
  /** Ends all jobs but the kept ones. */
  close(): Promise<void>;
}

export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { folder, filterLines, start = startRunning, maxLive = 64 } = options;
  const table = createJobTable(options);
  const detached = new AbortController();
  const starting = new Set<Promise<unknown>>();
  const { owners = { own: await ownIdentity(), isAlive: isRunning } } = options;
  const { own: owner } = owners;
  const run = newId("jobs");
  const markers = new Set<string>();
  let isClosed = false;
  let lastNumber = 0;

  for (const restored of await restoreJobs(options.known, { folder, detached: detached.signal, owners })) {
    lastNumber = Math.max(lastNumber, jobNumber(restored.record.id) ?? 0);
    if (restored.state === "known") table.addKnown(restored.record);
    else if (restored.state === "ended") table.finish(restored.record, restored.end);
    else table.add(restored.record, restored.process, { isNew: false });
  }

  const nextNumber = () => {
    lastNumber += 1;
    return lastNumber;
  };
  const running = () => table.entries().filter(({ record }) => record.state === "running");

  /** The marker shared by all jobs that end with this session, appended to the given one. */
  const ownMarker = (given: string | undefined) => {
    const marker = given === undefined ? run : joinMarker(given, run);
    markers.add(marker);
    return marker;
  };
  const refuseIfClosed = () => {
    if (isClosed) throw new ToolError("session-closed", "the session is closed, and so are its jobs");
  };
  const admit = () => {
    refuseIfClosed();
    if (running().length + starting.size < maxLive) return;
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
      ...newRecord({ id: claimed.id, command: spec.command, outputFile, owner }),
      isKept: keep,
      hasTerminal: terminal,
      marker,
      maxOutputFileBytes,
    };
    const begin = {
      spec: { ...command, outputFile, maxOutputFileBytes, marker },
      record,
      folder: claimed,
      timeoutMs,
    };
    try {
      const process = await (keep
        ? startDetachedJob(begin, detached.signal)
        : startAttachedJob(begin, start));
      return table.add({ ...record, identity: process.identity }, process, { isNew: true });
    } catch (error) {
      await rm(dirname(claimed.statusFile), { recursive: true, force: true });
      throw error;
    }
  };

  const stop = async ({ record, process }: JobEntry): Promise<Job> => {
    if (process === undefined && record.state === "running") {
      throw new ToolError("conflict", `${record.id} belongs to another process (pid ${record.owner.pid})`, {
        hint: "That process has this session open; stop the job there.",
      });
    }
    if (record.state === "running" || process?.hasLeftovers?.()) await process?.stop("killed");
    await process?.ended;
    return toJob(table.find(record.id));
  };

  /** Ends all by marker first, because searching each job's processes separately is slow. */
  const endAll = async () => {
    const ending = table.entries().filter(({ record, process }) => !record.isKept && process !== undefined);
    for (const { process } of ending) process?.expectEnd?.("killed");
    if (running().length > 0) await Promise.all([...markers].map((marker) => endLeftovers(marker)));
    const patience = new AbortController();
    const moment = pause(settleMs, undefined, { signal: patience.signal }).catch(() => {});
    await Promise.race([Promise.all(ending.map(({ process }) => process?.ended)), moment]);
    patience.abort();
    await Promise.all(ending.map(({ record }) => stop(table.find(record.id))));
  };

  const readerOf = ({ record: { id, outputFile } }: JobEntry) =>
    createJobOutputReader(outputFile, {
      filterLines,
      isRunning: () => table.find(id).record.state === "running",
    });

  return {
    async start(spec) {
      admit();
      const work = startJob(spec);
      starting.add(work);
      try {
        return await work;
      } finally {
        starting.delete(work);
      }
    },
    adopt(command, { command: text, hasTerminal = false, timeoutMs }) {
      admit();
      const { identity } = command;
      const id = jobId(nextNumber());
      const outputFile = command.output().file;
      const record = { ...newRecord({ id, command: text, outputFile, owner }), identity, hasTerminal };
      const job = table.add(record, controlCommand(command, { timeoutMs }), { isNew: true });
      // Lets a later run find every process the command started.
      readProcessVariable(identity.pid, markerVariable).then((marker) => {
        if (marker !== undefined) table.amend(id, { marker });
      });
      return job;
    },
    list: () => table.entries().map(toJob),
    get: (id) => toJob(table.find(id)),
    async output(id, request = {}) {
      // The entry is taken before reading, so that output returned with an ended job is complete.
      const entry = table.find(id);
      const part = await readerOf(entry).read(request);
      const { maxOutputFileBytes = Number.POSITIVE_INFINITY } = entry.record;
      return { job: toJob(entry), ...part, isCapped: part.cursor >= maxOutputFileBytes };
    },
    async waitFor(id, request) {
      const entry = table.find(id);
      const { process, record } = entry;
      const ended =
        process?.ended ?? (record.state === "running" ? new Promise(() => {}) : Promise.resolve());
      const result = await waitUntilReady({ ended, findLine: readerOf(entry).findLine }, request);
      return { ...describeWait(result, request), job: toJob(table.find(id)) };
    },
    async kill(id) {
      refuseIfClosed();
      return stop(table.find(id));
    },
    write(id, text) {
      const { process, record } = table.find(id);
      if (process?.write === undefined) {
        throw new ToolError("unsupported", `${id} has no terminal that this process can type into`);
      }
      if (record.state === "running") process.write(text);
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(starting);
      await endAll();
      detached.abort();
      table.close();
    },
  };
}

// Time for the ends of processes to be noticed.
const settleMs = 500;
const defaultOutputBytes = 32 * 2 ** 20;

const startRunning: StartRunning = (spec, { terminal }) =>
  terminal ? startTerminal(spec) : startCommand(spec);

function newRecord({
  id,
  command,
  outputFile,
  owner,
}: Pick<JobRecord, "id" | "command" | "outputFile" | "owner">): Omit<JobRecord, "identity"> {
  return {
    id,
    command,
    state: "running",
    exitCode: null,
    signal: null,
    startedAt: isoTime(),
    isKept: false,
    hasTerminal: false,
    outputFile,
    owner,
  };
}
