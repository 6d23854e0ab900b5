import { isPlainObject } from "../../../../shared/json.ts";
import type { ProcessIdentity } from "../../../../shared/process-identity.ts";
import type { Job } from "../../../../tool/services/processes.ts";

/** What is kept of a job, so that the next run of its session knows it. */
export interface JobRecord extends Omit<Job, "isWaitingForInput"> {
  /** The runtime that started it. While that lives, it alone decides what becomes of the job. */
  readonly owner: ProcessIdentity;
  /** By which everything it started is known again. */
  readonly marker?: string;
  /** How much of its output is kept; an adopted command's cap is not known. */
  readonly maxOutputFileBytes?: number;
}

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

/** A number that a signal could be sent to: 0 and what is below it stand for whole groups. */
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
