import { removeLeftStages } from "./bubblewrap/new-entries.ts";
import { sharedPlaceholders } from "./protected/placeholders.ts";

/** Removes the leftovers of killed sandboxes from the user's folders. Never fails. */
export async function removeLeftOfSandboxes(): Promise<void> {
  await Promise.all([sharedPlaceholders().sweep(), removeLeftStages().catch(() => {})]);
}
