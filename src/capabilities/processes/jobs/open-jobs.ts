import { endLeftovers } from "../../../machine/child/index.ts";
import { settlesWithin } from "../../../shared/maybe-promise.ts";
import type { Job, JobOutput, Readiness } from "../../../tool/services/processes.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { jobNumber } from "./job-folder.ts";
import { createJobLauncher } from "./job-launcher.ts";
import { createJobOutputReader, type OutputRequest } from "./job-output-reader.ts";
import type { JobRecord } from "./job-record.ts";
import type { StartRunning } from "./job-start.ts";
import { createJobTable, type JobEntry, type JobListeners, toJob } from "./job-table.ts";
import { type ReadinessRequest, waitUntilReady } from "./readiness.ts";
import { type JobOwners, restoreJobs } from "./restore-jobs.ts";

export interface JobsOptions extends JobListeners {
  /** For the jobs' files: one folder per session, where commands may not write. */
  readonly folder: string;
  /** Records from earlier runs of the session, by id. */
  readonly known: ReadonlyMap<string, JobRecord>;
  readonly start: StartRunning;
  readonly maxLive?: number;
  readonly owners: JobOwners;
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

export interface Jobs extends JobControl, Pick<ReturnType<typeof createJobLauncher>, "start" | "adopt"> {
  /** Ends all jobs but the kept ones. */
  close(): Promise<void>;
}

export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { folder, start, maxLive = 64, owners } = options;
  const table = createJobTable(options);
  const detached = new AbortController();
  const restored = await restoreJobs(options.known, { folder, detached: detached.signal, owners });
  for (const each of restored) {
    if (each.state === "known") table.addKnown(each.record);
    else if (each.state === "ended") table.finish(each.record, each.end);
    else table.add(each.record, each.process, { isNew: false });
  }
  const launcher = createJobLauncher({
    ...{ table, folder, owner: owners.own, start, maxLive, detached: detached.signal },
    lastNumber: Math.max(0, ...restored.map(({ record }) => jobNumber(record.id) ?? 0)),
  });

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
    if (table.running().length > 0)
      await Promise.all([...launcher.markers].map((marker) => endLeftovers(marker)));
    await settlesWithin(Promise.all(ending.map(({ process }) => process?.ended)), settleMs);
    await Promise.all(ending.map(({ record }) => stop(table.find(record.id))));
  };

  const readerOf = ({ record: { id, outputFile } }: JobEntry) =>
    createJobOutputReader(outputFile, { isRunning: () => table.find(id).record.state === "running" });

  return {
    start: launcher.start,
    adopt: launcher.adopt,
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
      return { ...result, job: toJob(table.find(id)) };
    },
    async kill(id) {
      launcher.refuseIfClosed();
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
      await launcher.close();
      await endAll();
      detached.abort();
      table.close();
    },
  };
}

// Time for the ends of processes to be noticed.
const settleMs = 500;
