import { openPlaces } from "../config/open-places.ts";
import type { Store } from "../runtime/store/store.ts";
import { asUsage } from "./as-usage.ts";
import type { FlagValues } from "./flags.ts";
import { optionsFromFlags } from "./options-from-flags.ts";

/** Opens nothing but the records, so that they can be read even when a tool or a rule is broken. */
export async function withStore<Result>(
  flags: FlagValues,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const options = await optionsFromFlags(flags);
  const places = await asUsage(() => openPlaces(options));
  try {
    return await work(places.store);
  } finally {
    await places.close();
  }
}
