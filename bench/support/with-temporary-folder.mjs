import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a folder for the work, and removes it afterwards. */
export async function withTemporaryFolder(work) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "toolwright-bench-")));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
