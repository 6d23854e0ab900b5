import { setTimeout as delay } from "node:timers/promises";
import { claim, isAliveIn, keptIn, ownLifeIn, type Store } from "../../kernel/store/index.ts";
import { jobRecords } from "./jobs/job-record.ts";

/** Ends the jobs that outlived a process of the session, which may never be opened again. */
export async function endLostJobs(store: Store, sessionId: string): Promise<void> {
  const kept = keptIn(store, jobRecords, sessionId);
  const records = [...(await kept.list()).values()];
  if (records.length === 0) return;
  const [{ restoreAttached }, { toJob }] = await Promise.all([
    import("./jobs/restore-jobs.ts"),
    import("./jobs/job-table.ts"),
  ]);
  const owners = { own: await ownLifeIn(store), isAlive: isAliveIn.bind(undefined, store) };
  for (const record of records) {
    if (record.state !== "running" || record.isKept) continue;
    const restored = await restoreAttached(record, owners);
    if (restored.state !== "ended") continue;
    const ended = { ...record, ...restored.end };
    // Not written if another process has ended it already.
    await claim(store, sessionId, {
      events: [{ type: "job-end", job: toJob({ record: ended, isWaitingForInput: false }) }],
      variables: [kept.write(record.id, ended)],
      requires: [kept.write(record.id, record)],
    });
  }
}

/** Ends foreground commands of runs whose process was killed: no call waits for them, and no timeout ends them. */
export async function endLostCommands(lostRuns: readonly string[]): Promise<void> {
  if (lostRuns.length === 0) return;
  const { endLeftovers } = await import("../../machine/child/process-tree.ts");
  const endAll = () => Promise.all(lostRuns.map((run) => endLeftovers(markerOf(run))));
  await endAll();
  // A process that was killed as it forked has left a child that cannot be told from others until its program begins.
  await delay(forkMs);
  await endAll();
}

const forkMs = 50;

/**
 * Marks every process that the commands of a run start. Not of a session: commands of another process that has it open are
 * not ours to end.
 */
export function markerOf(run: string): string {
  return run.replace(/[^A-Za-z0-9]/g, "-");
}
