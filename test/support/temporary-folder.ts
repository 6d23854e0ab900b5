import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

// All of it without the thread pool: a run makes and removes hundreds of thousands of files, and handing each of them to
// another thread takes longer than the file.

/** An empty folder that goes when the test ends. */
export function temporaryFolder(name = "toolwright-test-", around = tmpdir()): string {
  const folder = makeFolder(name, around);
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** For whoever removes it otherwise. */
export function makeFolder(name = "toolwright-test-", around = tmpdir()): string {
  return realpathSync(mkdtempSync(join(around, name)));
}

/** Where temporary folders are on the disk: a sandbox has a /dev of its own, without those in /dev/shm. */
export const onDisk = process.env.TOOLWRIGHT_TEST_DISK ?? tmpdir();

/** Tried again while a program that was just ended still writes there. */
export function removeFolder(folder: string): void {
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  try {
    remove();
  } catch {
    openFolders(folder);
    remove();
  }
}

/** Who is not root cannot empty a folder that a test has closed. */
function openFolders(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
}

/** Path to content. */
export type Contents = Readonly<Record<string, string | Uint8Array>>;

/** Writes files; makes the folder, and those within it. */
export function putFiles(folder: string, contents: Contents): void {
  mkdirSync(folder, { recursive: true });
  const made = new Set([folder]);
  for (const [path, content] of Object.entries(contents)) {
    const file = join(folder, path);
    const around = dirname(file);
    if (!made.has(around)) mkdirSync(around, { recursive: true });
    made.add(around);
    writeFileSync(file, content);
  }
}
