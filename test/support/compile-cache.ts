import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** For the whole run: what one of the many Node processes has compiled, the next one need not compile again. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-compiled-"));
  process.env.NODE_COMPILE_CACHE = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 20 });
}
