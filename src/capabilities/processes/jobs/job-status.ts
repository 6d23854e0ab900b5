import { open, readFile, rename } from "node:fs/promises";
import { isPlainObject } from "../../../shared/json.ts";
import type { ProcessIdentity } from "../../../shared/process-identity.ts";
import { isIdentity, isJobEnd, isJobRecord, type JobEnd, type JobRecord } from "./job-record.ts";

/** Stored beside a job's output, so that the job is known even if the process that started it dies immediately. */
export interface JobStatus {
  readonly record: JobRecord;
  /** The command's own process, if the job has a supervisor. */
  readonly program?: ProcessIdentity;
  readonly end?: JobEnd;
}

/** Writes atomically: a reader finds either the old status or the new one. */
export async function writeStatus(path: string, status: JobStatus): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  const file = await open(unfinished, "w", 0o600);
  try {
    await file.writeFile(JSON.stringify(status));
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}

/** Undefined if it is missing or invalid. */
export async function readStatus(path: string): Promise<JobStatus | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  try {
    const value: unknown = JSON.parse(text);
    return isJobStatus(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isJobStatus(value: unknown): value is JobStatus {
  if (!isPlainObject(value) || !isJobRecord(value.record)) return false;
  const { program, end } = value;
  return (program === undefined || isIdentity(program)) && (end === undefined || isJobEnd(end));
}
