import { endLeftovers, endProcessTree } from "../../../machine/child/process-tree.ts";
import type { ProcessIdentity } from "../../../shared/process-identity.ts";

/** Ends what is left of a job that another process started: first its process tree, then everything with its marker. */
export async function endJobTree(leader: ProcessIdentity, marker: string | undefined): Promise<void> {
  // A pid without a start time may be anybody's. Without a marker, "\0" matches no process (no variable contains a NUL),
  // so only descendants of the leader are ended.
  if (leader.startedAt !== "") await endProcessTree({ leader, marker: marker ?? "\0" });
  if (marker !== undefined) await endLeftovers(marker);
}
