import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives the work a folder of its own, and takes it away afterwards. */
export async function withTemporaryFolder(work) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "toolwright-bench-")));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
