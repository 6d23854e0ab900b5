import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { JobSpec } from "../../../src/capabilities/processes/jobs/job-launcher.ts";
import type { JobRecord } from "../../../src/capabilities/processes/jobs/job-record.ts";
import type { JobEvent } from "../../../src/capabilities/processes/jobs/job-table.ts";
import { type Jobs, openJobs } from "../../../src/capabilities/processes/jobs/open-jobs.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { jobsAlone } from "./jobs-alone.ts";

export interface JobsPlace {
  readonly folder: string;
  readonly records: Map<string, JobRecord>;
  readonly events: JobEvent[];
  open(options?: { maxLive?: number }): Promise<Jobs>;
  /** Resolves when the event arrives, or at once if it already has. */
  untilEvent(type: JobEvent["type"], id: string): Promise<JobEvent>;
}

/** A session's place for jobs; its processes and files are removed after the test. */
export async function createJobsPlace(): Promise<JobsPlace> {
  const folder = temporaryFolder();
  const records = new Map<string, JobRecord>();
  const events: JobEvent[] = [];
  const opened: Jobs[] = [];
  const listeners = new Set<() => void>();
  const open = async (options: { maxLive?: number } = {}) => {
    const jobs = await openJobs({
      folder: join(folder, "jobs"),
      known: new Map(records),
      onRecord: (record) => records.set(record.id, record),
      onEvent: (event) => {
        events.push(event);
        for (const listener of listeners) listener();
      },
      ...(await jobsAlone()),
      ...options,
    });
    opened.push(jobs);
    return jobs;
  };
  onTestFinished(async () => {
    await Promise.all(opened.map((jobs) => jobs.close()));
    const last = await open();
    for (const { id, isKept } of last.list()) if (isKept) await last.kill(id);
    await last.close();
  });
  return {
    folder,
    records,
    events,
    open,
    untilEvent: (type, id) =>
      new Promise((resolve) => {
        const look = () => {
          const found = events.find((event) => event.type === type && event.job.id === id);
          if (found === undefined) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
  };
}

export function command(text: string, more: Partial<JobSpec> = {}): JobSpec {
  return {
    command: text,
    directory: tmpdir(),
    environment: { PATH: process.env.PATH ?? "", HOME: tmpdir() },
    ...more,
  };
}

/** Whether a process with this pid runs; a zombie does not count. */
export async function isAlive(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") X");
  return !/\) [ZX]/.test(state);
}
