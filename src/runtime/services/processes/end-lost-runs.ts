import { findOpenRuns, sealLostRuns } from "../../sessions/session-run.ts";
import type { Store } from "../../store/store.ts";
import { endLostCommands } from "./processes-service.ts";

/**
 * Seals what processes that have died left unfinished in any session of the store, and ends the commands that outlived
 * them: nobody may ever open those sessions again.
 */
export async function endLostRuns(store: Store): Promise<void> {
  for (const sessionId of await findOpenRuns(store)) {
    await endLostCommands(await sealLostRuns(store, sessionId));
  }
}
