import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RuntimeOptions, SessionOptions } from "../../src/index.ts";
import { openTestSession, type TestSession, temporaryFolder } from "./open-test-session.ts";

/** Path to content. */
export type Contents = Readonly<Record<string, string | Uint8Array>>;

/** A session in mode `edit` on a workspace that holds these files; `base` is the folder around it. */
export async function openFileSession(
  contents: Contents = {},
  { permissions, ...options }: RuntimeOptions = {},
  session: SessionOptions = {},
): Promise<TestSession & { readonly base: string }> {
  const base = await realpath(await temporaryFolder());
  const workspace = join(base, "work");
  await mkdir(workspace);
  await putFiles(workspace, contents);
  const opened = await openTestSession(
    { ...options, permissions: { mode: "edit", ...permissions }, workspace },
    session,
  );
  return { ...opened, base };
}

export async function putFiles(folder: string, contents: Contents): Promise<void> {
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
