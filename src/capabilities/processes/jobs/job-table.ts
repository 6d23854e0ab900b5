import type { Job } from "../../../tool/services/processes.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { JobProcess } from "./job-process.ts";
import type { JobEnd, JobRecord } from "./job-record.ts";

export interface JobEvent {
  readonly type: "job-start" | "job-wait" | "job-end";
  readonly job: Job;
}

/** A job as this runtime knows it. */
export interface JobEntry {
  readonly record: JobRecord;
  /** Absent if the job ended before this runtime started, or belongs to another runtime. */
  readonly process?: JobProcess;
  readonly isWaitingForInput: boolean;
}

export type JobTable = ReturnType<typeof createJobTable>;

export interface JobListeners {
  onRecord(record: JobRecord): void;
  onEvent(event: JobEvent): void;
}

export function createJobTable({ onRecord, onEvent }: JobListeners) {
  const entries = new Map<string, JobEntry>();
  let isClosed = false;

  const report = (type: JobEvent["type"], entry: JobEntry) => {
    entries.set(entry.record.id, entry);
    if (!isClosed) onEvent({ type, job: toJob(entry) });
  };

  const finish = ({ record: known, process }: JobEntry, end: JobEnd) => {
    const record = { ...known, ...end };
    if (!isClosed) onRecord(record);
    // An ended process holds its output in memory; it is needed only to end the processes that it left running.
    const held = process?.hasLeftovers?.() ? { process } : {};
    report("job-end", { record, ...held, isWaitingForInput: false });
  };

  return {
    /** Adds a job and reports from now on when it ends and when it waits for input. */
    add(record: JobRecord, process: JobProcess, { isNew }: { readonly isNew: boolean }): Job {
      const entry: JobEntry = { record, process, isWaitingForInput: false };
      entries.set(record.id, entry);
      if (isNew) onRecord(record);
      if (isNew) report("job-start", entry);
      process.onWaiting?.((isWaitingForInput) => {
        const current = entries.get(record.id);
        if (current?.record.state !== "running") return;
        const changed = { ...current, isWaitingForInput };
        if (isWaitingForInput) report("job-wait", changed);
        else entries.set(record.id, changed);
      });
      process.ended.then((end) => finish(entries.get(record.id) ?? entry, end));
      return toJob(entry);
    },
    /** Adds a job without reporting on it: it has ended, or belongs to another runtime. */
    addKnown(record: JobRecord): void {
      entries.set(record.id, { record, isWaitingForInput: false });
    },
    /** Records the end of a job that was not followed. */
    finish: (record: JobRecord, end: JobEnd) => finish({ record, isWaitingForInput: false }, end),
    /** Adds details that became known after the start. */
    amend(id: string, found: Pick<JobRecord, "marker">): void {
      const entry = entries.get(id);
      if (entry === undefined || isClosed) return;
      const record = { ...entry.record, ...found };
      entries.set(id, { ...entry, record });
      onRecord(record);
    },
    entries: (): readonly JobEntry[] => [...entries.values()],
    running: (): readonly JobEntry[] =>
      [...entries.values()].filter(({ record }) => record.state === "running"),
    find(id: string): JobEntry {
      const entry = entries.get(id);
      if (entry !== undefined) return entry;
      const known = [...entries.keys()].slice(-maxNamed).join(", ");
      throw new ToolError("not-found", `no background job ${id}`, {
        hint: known === "" ? "No background job has been started." : `Known jobs: ${known}.`,
      });
    },
    /** Stops all reporting. */
    close(): void {
      isClosed = true;
    },
  };
}

const maxNamed = 10;

/** The public part of an entry. */
export function toJob({ record, isWaitingForInput }: JobEntry): Job {
  const { owner: _owner, marker: _marker, maxOutputFileBytes: _cap, ...job } = record;
  return job.hasTerminal && job.state === "running" ? { ...job, isWaitingForInput } : job;
}
