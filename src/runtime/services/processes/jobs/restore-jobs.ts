import { isoTime } from "../../../../shared/iso-time.ts";
import { isRunning, type ProcessIdentity } from "../../../../shared/process-identity.ts";
import { attachSupervisor, findEnd } from "../supervisor/supervisor-attach.ts";
import { jobFolderOf, jobNumber, listJobFolders } from "./job-folder.ts";
import type { JobProcess } from "./job-process.ts";
import { isJobRecord, type JobEnd, type JobRecord } from "./job-record.ts";
import { readStatus } from "./job-status.ts";
import { endJobTree } from "./job-tree.ts";

/** What became of a job of an earlier run. */
export type RestoredJob =
  /** Nothing new. */
  | { readonly state: "known"; readonly record: JobRecord }
  | { readonly state: "ended"; readonly record: JobRecord; readonly end: JobEnd }
  | { readonly state: "running"; readonly record: JobRecord; readonly process: JobProcess };

/**
 * Finds the jobs of earlier runs again: kept ones that still run are followed, how others ended is told where it is known.
 * One that should have ended with its runtime is ended now. A process is only ever signalled if it is the very one that
 * was started, never another that was given its number.
 */
export async function restoreJobs(
  known: ReadonlyMap<string, JobRecord>,
  { folder, detached }: { folder: string; detached: AbortSignal },
): Promise<readonly RestoredJob[]> {
  // They come from a store, and signals may be sent by them.
  const records = new Map([...known].filter(([id, record]) => isJobRecord(record) && record.id === id));
  for (const { id, statusFile } of await listJobFolders(folder)) {
    // Whoever started it died before its record was written.
    if (!records.has(id)) {
      const status = await readStatus(statusFile);
      if (status?.record.id === id) records.set(id, status.record);
    }
  }
  const inOrder = [...records.values()].sort((one, other) => numberOf(one) - numberOf(other));
  return Promise.all(
    inOrder.map((record) => {
      if (record.state !== "running") return { state: "known", record } as const;
      return record.isKept ? restoreKept(record, { folder, detached }) : restoreOther(record);
    }),
  );
}

function numberOf({ id }: JobRecord): number {
  return jobNumber(id) ?? 0;
}

async function restoreKept(
  record: JobRecord,
  { folder, detached }: { folder: string; detached: AbortSignal },
): Promise<RestoredJob> {
  const { statusFile } = jobFolderOf(folder, record.id);
  const status = await readStatus(statusFile);
  if (status?.end === undefined && (await isSameProcess(record.identity))) {
    return { state: "running", record, process: attachSupervisor(record.identity, { statusFile, detached }) };
  }
  return { state: "ended", record, end: await findEnd(statusFile) };
}

async function restoreOther(record: JobRecord): Promise<RestoredJob> {
  const { identity: leader, marker, owner } = record;
  const isAlive = await isSameProcess(leader);
  // Another runtime has the same session open.
  if (isAlive && (await isRunning(owner))) return { state: "known", record };
  await endJobTree(leader, marker);
  const end = { exitCode: null, signal: null, endedAt: isoTime() };
  if (!isAlive) return { state: "ended", record, end: { ...end, state: "unknown" } };
  return { state: "ended", record, end: { ...end, state: "killed", note: "its runtime had ended" } };
}

/** Where no start is known, a number alone says nothing. */
async function isSameProcess(identity: ProcessIdentity): Promise<boolean> {
  return identity.startedAt !== "" && (await isRunning(identity));
}
