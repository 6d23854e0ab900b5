import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Where one job's files are. */
export interface JobFolder {
  readonly id: string;
  readonly outputFile: string;
  readonly statusFile: string;
}

/** Makes the folder of a new job, with the next number that no other runtime has taken meanwhile. */
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

/** The jobs that have a folder, whether or not their records came through. */
export async function listJobFolders(root: string): Promise<readonly JobFolder[]> {
  const names = await readdir(root).catch(() => []);
  return names.filter((name) => jobNumber(name) !== undefined).map((id) => jobFolderOf(root, id));
}

/** Only what it gives is a job's id: a name from outside never becomes a path. */
export function jobId(number: number): string {
  return `bg_task_${number}`;
}

export function jobNumber(id: string): number | undefined {
  const digits = /^bg_task_(\d{1,9})$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export function jobFolderOf(root: string, id: string): JobFolder {
  const folder = join(root, id);
  return { id, outputFile: join(folder, "output.log"), statusFile: join(folder, "job.json") };
}
