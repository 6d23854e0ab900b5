import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { RuntimeOptions, SessionOptions } from "../../src/index.ts";
import { openTestSession, type TestSession } from "./open-test-session.ts";
import { type Contents, putFiles, temporaryFolder } from "./temporary-folder.ts";

export { type Contents, putFiles };

/** A session in mode `edit` on a workspace that holds these files; `base` is the folder around it. */
export async function openFileSession(
  contents: Contents = {},
  { permissions, ...options }: RuntimeOptions = {},
  session: SessionOptions = {},
): Promise<TestSession & { readonly base: string }> {
  const base = temporaryFolder();
  const workspace = join(base, "work");
  await mkdir(workspace);
  putFiles(workspace, contents);
  const opened = await openTestSession(
    { ...options, permissions: { mode: "edit", ...permissions }, workspace },
    session,
  );
  return { ...opened, base };
}
