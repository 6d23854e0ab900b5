import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeAside } from "../../../shared/files/write-aside.ts";
import { isPlainObject, tryParseJson } from "../../../shared/json.ts";
import type { ProcessIdentity } from "../../../shared/process-identity.ts";
import { isIdentity, isJobEnd, isJobRecord, type JobEnd, type JobRecord } from "./job-record.ts";

export type JobFolder = ReturnType<typeof jobFolderOf>;

/** Creates the folder of a new job, with the next number that no other runtime has taken. */
export async function claimJobFolder(root: string, nextNumber: () => number): Promise<JobFolder> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (;;) {
    const folder = jobFolderOf(root, jobId(nextNumber()));
    try {
      await mkdir(dirname(folder.outputFile), { mode: 0o700 });
      return folder;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** All jobs that have a folder, even if their record was never stored. */
export async function listJobFolders(root: string): Promise<readonly JobFolder[]> {
  const names = await readdir(root).catch(() => []);
  return names.filter((name) => jobNumber(name) !== undefined).map((id) => jobFolderOf(root, id));
}

/** The only source of job ids, so that a name from outside never becomes a path. */
export function jobId(number: number): string {
  return `bg_task_${number}`;
}

export function jobNumber(id: string): number | undefined {
  const digits = /^bg_task_(\d{1,9})$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The paths of one job's files. */
export function jobFolderOf(root: string, id: string) {
  const folder = join(root, id);
  return { id, outputFile: join(folder, "output.log"), statusFile: join(folder, "job.json") };
}

/** Stored beside a job's output, so that the job is known even if the process that started it dies immediately. */
interface JobStatus {
  readonly record: JobRecord;
  /** The command's own process, if the job has a supervisor. */
  readonly program?: ProcessIdentity;
  readonly end?: JobEnd;
}

/** Writes atomically: a reader finds either the old status or the new one. */
export function writeStatus(path: string, status: JobStatus): Promise<void> {
  return writeAside(path, JSON.stringify(status));
}

/** Undefined if it is missing or invalid. */
export async function readStatus(path: string): Promise<JobStatus | undefined> {
  const value = tryParseJson(await readFile(path, "utf8").catch(() => ""));
  return isJobStatus(value) ? value : undefined;
}

function isJobStatus(value: unknown): value is JobStatus {
  if (!isPlainObject(value) || !isJobRecord(value.record)) return false;
  const { program, end } = value;
  return (program === undefined || isIdentity(program)) && (end === undefined || isJobEnd(end));
}
