import type { ProcessIdentity } from "../../../../shared/process-identity.ts";
import { endLeftovers, endProcessTree } from "../command/process-tree.ts";

/** Ends what is left of a job that another process started: by its first process, then by the marker it was given. */
export async function endJobTree(leader: ProcessIdentity, marker: string | undefined): Promise<void> {
  // A number without a start may be anybody's. And no variable holds a NUL, so that without a marker nothing is taken
  // for the job's but what descends from it.
  if (leader.startedAt !== "") await endProcessTree({ leader, marker: marker ?? "\0" });
  if (marker !== undefined) await endLeftovers(marker);
}
