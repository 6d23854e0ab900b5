import type { ProcessLife } from "../../../kernel/store/index.ts";
import { isoTime } from "../../../shared/iso-time.ts";
import { isRunning, type ProcessIdentity } from "../../../shared/process-identity.ts";
import { attachSupervisor, findEnd } from "../supervisor/supervisor-attach.ts";
import { jobFolderOf, jobNumber, listJobFolders, readStatus } from "./job-folder.ts";
import { endJobTree, type JobProcess } from "./job-process.ts";
import { isJobRecord, type JobEnd, type JobRecord } from "./job-record.ts";

/** Who may own a job. */
export interface JobOwners {
  readonly own: ProcessLife;
  isAlive(owner: ProcessLife): Promise<boolean>;
}

/** A job of an earlier run, as found now. */
export type RestoredJob =
  /** Nothing has changed since its record was stored. */
  | { readonly state: "known"; readonly record: JobRecord }
  | { readonly state: "ended"; readonly record: JobRecord; readonly end: JobEnd }
  | { readonly state: "running"; readonly record: JobRecord; readonly process: JobProcess };

/**
 * Restores the jobs of earlier runs: follows kept ones that still run, and finds out how the others ended if possible.
 * A job that should have ended with its runtime is ended now. Only the very process that was started is ever signalled,
 * never another one that got its pid.
 */
export async function restoreJobs(
  known: ReadonlyMap<string, JobRecord>,
  { folder, detached, owners }: { folder: string; detached: AbortSignal; owners: JobOwners },
): Promise<readonly RestoredJob[]> {
  // Validated, because they come from a store and decide which pids are signalled.
  const records = new Map([...known].filter(([id, record]) => isJobRecord(record) && record.id === id));
  for (const { id, statusFile } of await listJobFolders(folder)) {
    // The process that started the job died before storing its record.
    if (!records.has(id)) {
      const status = await readStatus(statusFile);
      if (status?.record.id === id) records.set(id, status.record);
    }
  }
  const inOrder = [...records.values()].sort((one, other) => numberOf(one) - numberOf(other));
  return Promise.all(
    inOrder.map((record) => {
      if (record.state !== "running") return { state: "known", record } as const;
      return record.isKept ? restoreKept(record, { folder, detached }) : restoreAttached(record, owners);
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

/** A job that should have ended with its runtime. */
export async function restoreAttached(record: JobRecord, owners: JobOwners): Promise<RestoredJob> {
  const { identity: leader, marker, owner } = record;
  const isAlive = await isSameProcess(leader);
  // Another runtime has the same session open. In another container, its processes cannot be seen from here.
  const isOwn = owner.life === undefined || owner.life === owners.own.life;
  if ((isAlive || !isOwn) && (await owners.isAlive(owner))) return { state: "known", record };
  await endJobTree(leader, marker);
  const end = { exitCode: null, signal: null, endedAt: isoTime() };
  if (!isAlive) return { state: "ended", record, end: { ...end, state: "unknown" } };
  return {
    state: "ended",
    record,
    end: { ...end, state: "killed", note: "the runtime that started it had ended" },
  };
}

/** A pid without a start time identifies nothing. */
async function isSameProcess(identity: ProcessIdentity): Promise<boolean> {
  return identity.startedAt !== "" && (await isRunning(identity));
}
