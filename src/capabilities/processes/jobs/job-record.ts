import type { KeptKind, ProcessLife } from "../../../kernel/store/index.ts";
import { isPlainObject } from "../../../shared/json.ts";
import type { ProcessIdentity } from "../../../shared/process-identity.ts";
import type { Job } from "../../../tool/services/processes.ts";

/** A job as it is stored for the next run of its session. */
export interface JobRecord extends Omit<Job, "isWaitingForInput"> {
  /** The runtime that started it. While that runs, it alone controls the job. */
  readonly owner: ProcessLife;
  /** Marks every process the job started. */
  readonly marker?: string;
  /** How much of its output is kept; not known for an adopted command. */
  readonly maxOutputFileBytes?: number;
}

/** By id. */
export const jobRecords: KeptKind<JobRecord> = {
  scope: "jobs",
  isValue: isJobRecord,
  holdsSession: ({ state }) => state === "running",
};

/** How a job ended. */
export interface JobEnd extends Pick<Job, "exitCode" | "signal" | "note"> {
  readonly state: Exclude<Job["state"], "running">;
  readonly endedAt: string;
}

export function isJobRecord(value: unknown): value is JobRecord {
  if (!isPlainObject(value)) return false;
  const texts = [value.id, value.command, value.state, value.startedAt, value.outputFile];
  return (
    texts.every((text) => typeof text === "string") && isIdentity(value.identity) && isIdentity(value.owner)
  );
}

/** Refuses pids that are not safe to signal: 0 and below address whole groups. */
export function isIdentity(value: unknown): value is ProcessIdentity {
  return (
    isPlainObject(value) &&
    Number.isSafeInteger(value.pid) &&
    (value.pid as number) > 0 &&
    typeof value.startedAt === "string"
  );
}

export function isJobEnd(value: unknown): value is JobEnd {
  return isPlainObject(value) && typeof value.state === "string" && typeof value.endedAt === "string";
}
