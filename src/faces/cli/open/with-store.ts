import type { WorkspacePaths } from "../../../kernel/policy/index.ts";
import { openPlaces, openRecords } from "../../../kernel/runtime/index.ts";
import type { Store } from "../../../kernel/store/index.ts";
import { unknownSession } from "../command.ts";
import type { FlagValues } from "../flags.ts";
import { asUsage } from "./as-usage.ts";
import { optionsFromFlags, tellOnce } from "./options-from-flags.ts";

/** Opens only the store, so that records can be read even when a tool or a rule is broken, or the disk is read-only. */
export async function withStore<Result>(
  flags: FlagValues,
  work: (store: Store, workspace: WorkspacePaths) => Promise<Result>,
  { isToWrite = false } = {},
): Promise<Result> {
  const options = await optionsFromFlags(flags, {
    onBroken: (message) => tellOnce(`${message}; this shows the usual records, without its options`),
  });
  const records = await asUsage(() => (isToWrite ? openPlaces : openRecords)(options));
  try {
    return await work(records.store, records.workspace);
  } finally {
    await records.close();
  }
}

/** Refuses an unknown session: an empty answer would look as if the session had done nothing. */
export async function checkSession(id: string | undefined, store: Store): Promise<void> {
  if (id === undefined || (await store.rawLogs.list()).includes(id)) return;
  throw unknownSession(id);
}
