import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore, type StoreOptions } from "../../../src/kernel/store/open-store.ts";
import type { Store } from "../../../src/kernel/store/store.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A store that is closed when the test is over, in a file of its own unless one is given. */
export async function openTemporaryStore(
  file?: string,
  options: Partial<StoreOptions> = {},
): Promise<{ store: Store; file: string }> {
  const path = file ?? join(temporaryFolder(), "store.sqlite");
  const store = await openStore(`sqlite:${path}`, { defaultFile: path, ...options });
  onTestFinished(() => store.close());
  return { store, file: path };
}
