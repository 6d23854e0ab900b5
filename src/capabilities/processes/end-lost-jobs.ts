import { claim } from "../../kernel/store/claim.ts";
import { keptIn } from "../../kernel/store/kept/kept-kind.ts";
import { isAliveIn, ownLifeIn } from "../../kernel/store/process-life.ts";
import type { Store } from "../../kernel/store/store.ts";
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
