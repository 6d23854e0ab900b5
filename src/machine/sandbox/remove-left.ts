import { removeLeftStages } from "./bubblewrap/new-entries.ts";
import { sharedPlaceholders } from "./protected/placeholders.ts";

/** Removes what the sandboxes of processes that were killed have left in folders of the user's. Never fails. */
export async function removeLeftOfSandboxes(): Promise<void> {
  await Promise.all([sharedPlaceholders().sweep(), removeLeftStages().catch(() => {})]);
}
