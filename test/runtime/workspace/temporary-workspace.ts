import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { openWorkspace, type WorkspaceOptions } from "../../../src/runtime/workspace/workspace.ts";

/** A workspace `work` with a folder `outside` beside it, both gone when the test is over. */
export async function temporaryWorkspace(
  contents: Record<string, string | Uint8Array> = {},
  options: Partial<WorkspaceOptions> = {},
) {
  const base = await realpath(await mkdtemp(join(tmpdir(), "toolwright-workspace-")));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const root = join(base, "work");
  const outside = join(base, "outside");
  await Promise.all([mkdir(root), mkdir(outside)]);
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const workspace = await openWorkspace({ root, ...options });
  const files = workspace.files(new AbortController().signal);
  return { base, root, outside, workspace, files };
}
