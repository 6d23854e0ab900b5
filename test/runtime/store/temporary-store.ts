import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore, type StoreOptions } from "../../../src/runtime/store/open-store.ts";
import type { Store } from "../../../src/runtime/store/store.ts";

/** A folder that is gone when the test is over. */
export async function createStoreFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "toolwright-store-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A store that is closed when the test is over, in a file of its own unless one is given. */
export async function openTemporaryStore(
  file?: string,
  options: Partial<StoreOptions> = {},
): Promise<{ store: Store; file: string }> {
  const path = file ?? join(await createStoreFolder(), "store.sqlite");
  const store = await openStore(`sqlite:${path}`, { defaultFile: path, ...options });
  onTestFinished(() => store.close());
  return { store, file: path };
}
