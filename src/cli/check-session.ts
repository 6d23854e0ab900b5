import type { Store } from "../runtime/store/store.ts";
import { UsageError } from "./usage-error.ts";

/** Refuses a session that the records know nothing of: an empty answer would look as if it had done nothing. */
export async function checkSession(id: string | undefined, store: Store): Promise<void> {
  if (id === undefined || (await store.listChains()).includes(id)) return;
  throw new UsageError(`there is no session ${JSON.stringify(id)}; \`toolwright sessions\` lists them`);
}
