import type { Job } from "../../../../tool/services/processes.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import type { JobProcess } from "./job-process.ts";
import type { JobEnd, JobRecord } from "./job-record.ts";

export interface JobEvent {
  readonly type: "job-start" | "job-wait" | "job-end";
  readonly job: Job;
}

/** A job as this runtime knows it. */
export interface JobEntry {
  readonly record: JobRecord;
  /** Absent where it had ended before this runtime began. */
  readonly process?: JobProcess;
  readonly isWaitingForInput: boolean;
}

export interface JobTable {
  /** From now on its end, and whether it waits for input, are told. */
  add(record: JobRecord, process: JobProcess, options: { isNew: boolean }): Job;
  /** One that nothing is to be told of: it is over, or another runtime's. */
  addKnown(record: JobRecord): void;
  /** How a job ended that was not followed. */
  finish(record: JobRecord, end: JobEnd): void;
  /** What has been found out about it since. */
  amend(id: string, found: Pick<JobRecord, "marker">): void;
  entries(): readonly JobEntry[];
  find(id: string): JobEntry;
  /** Nothing is told any more. */
  close(): void;
}

export function createJobTable({
  onRecord,
  onEvent,
}: {
  onRecord(record: JobRecord): void;
  onEvent(event: JobEvent): void;
}): JobTable {
  const entries = new Map<string, JobEntry>();
  let isClosed = false;

  const tell = (type: JobEvent["type"], entry: JobEntry) => {
    entries.set(entry.record.id, entry);
    if (!isClosed) onEvent({ type, job: toJob(entry) });
  };

  const finish = (entry: JobEntry, end: JobEnd) => {
    const record = { ...entry.record, ...end };
    if (!isClosed) onRecord(record);
    tell("job-end", { ...entry, record, isWaitingForInput: false });
  };

  return {
    add(record, process, { isNew }) {
      const entry: JobEntry = { record, process, isWaitingForInput: false };
      entries.set(record.id, entry);
      if (isNew) onRecord(record);
      if (isNew) tell("job-start", entry);
      process.onWaiting?.((isWaitingForInput) => {
        const current = entries.get(record.id);
        if (current?.record.state !== "running") return;
        const changed = { ...current, isWaitingForInput };
        if (isWaitingForInput) tell("job-wait", changed);
        else entries.set(record.id, changed);
      });
      process.ended.then((end) => finish(entries.get(record.id) ?? entry, end));
      return toJob(entry);
    },
    addKnown(record) {
      entries.set(record.id, { record, isWaitingForInput: false });
    },
    finish: (record, end) => finish({ record, isWaitingForInput: false }, end),
    amend(id, found) {
      const entry = entries.get(id);
      if (entry === undefined || isClosed) return;
      const record = { ...entry.record, ...found };
      entries.set(id, { ...entry, record });
      onRecord(record);
    },
    entries: () => [...entries.values()],
    find(id) {
      const entry = entries.get(id);
      if (entry !== undefined) return entry;
      const known = [...entries.keys()].slice(-maxNamed).join(", ");
      throw new ToolError("not-found", `there is no job ${id}`, {
        hint: known === "" ? "No job has been started." : `There are ${known}.`,
      });
    },
    close() {
      isClosed = true;
    },
  };
}

const maxNamed = 10;

/** What others may see of it. */
export function toJob({ record, isWaitingForInput }: JobEntry): Job {
  const { owner: _owner, marker: _marker, maxOutputFileBytes: _cap, ...job } = record;
  return job.hasTerminal && job.state === "running" ? { ...job, isWaitingForInput } : job;
}
