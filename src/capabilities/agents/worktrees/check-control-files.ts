import type { Dirent, Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { oneLine } from "../../../shared/text/one-line.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { textOfName } from "./list-changes.ts";

/**
 * Throws if a file that git opens unasked is a pipe, a socket or a device, for which git would wait, perhaps forever, or if
 * it is so large that git would take all of the memory or time to read it. Looks at a whole working tree, and at the git
 * folders that belong to it.
 */
export async function checkControlFiles(
  workTree: string,
  { gitFolders, signal }: { gitFolders: readonly string[]; signal?: AbortSignal | undefined },
): Promise<void> {
  await checkGitFolders(gitFolders);
  // Names have one character per byte, because not every name is valid text.
  const waiting = [toBytes(workTree)];
  while (waiting.length > 0) {
    signal?.throwIfAborted();
    const some = waiting.splice(-foldersAtOnce);
    for (const { entry, path } of (await Promise.all(some.map(list))).flat()) {
      if (controlNames.has(entry.name.toLowerCase())) {
        await refuseIfOdd(entry, path);
        await refuseIfLarge(entry, path);
      }
      // Git does not look into a nested repository's own folder here.
      if (entry.isDirectory() && entry.name !== ".git") waiting.push(path);
    }
  }
}

/** Throws if the HEAD, index, references, settings or excludes of these git folders are pipes or devices. */
export async function checkGitFolders(gitFolders: readonly string[]): Promise<void> {
  for (const folder of gitFolders.flatMap((each) => [each, `${each}/info`])) {
    for (const { entry, path } of await list(toBytes(folder))) {
      // Git's own daemon has one there, and opening it fails at once.
      if (!entry.isSocket()) await refuseIfOdd(entry, path);
    }
  }
}

const controlNames = new Set([".gitignore", ".gitattributes", ".gitmodules"]);
const foldersAtOnce = 32;

/** A folder that cannot be listed is one that git cannot look into either. */
async function list(folder: string): Promise<{ entry: Dirent; path: string }[]> {
  const options = { withFileTypes: true, encoding: "latin1" } as const;
  const entries = await readdir(Buffer.from(folder, "latin1"), options).catch(() => []);
  return entries.map((entry) => ({ entry, path: `${folder}/${entry.name}` }));
}

function toBytes(path: string): string {
  return Buffer.from(path).toString("latin1");
}

async function targetOf(path: string): Promise<Stats | undefined> {
  return stat(Buffer.from(path, "latin1")).catch(() => undefined);
}

async function refuseIfOdd(entry: Dirent, path: string): Promise<void> {
  if (entry.isFile() || entry.isDirectory()) return;
  // Git follows some links; one that leads nowhere does no harm.
  const target = entry.isSymbolicLink() ? await targetOf(path) : undefined;
  if (entry.isSymbolicLink() && (target === undefined || target.isFile() || target.isDirectory())) return;
  throw new ToolError("conflict", `${oneLine(textOfName(path), 300)} is a pipe, a socket or a device`, {
    hint: "Git would wait for it, so it is not run here. Remove it, then try again.",
  });
}

async function refuseIfLarge(entry: Dirent, path: string): Promise<void> {
  if (entry.isDirectory()) return;
  const found = await targetOf(path);
  if (!found?.isFile() || found.size <= maxControlBytes) return;
  const name = oneLine(textOfName(path), 300);
  throw new ToolError("too-large", `${name} has ${found.size} bytes; git would read all of it`, {
    hint: `Git is not run here. Make it smaller than ${maxControlBytes} bytes or remove it, then try again.`,
  });
}

const maxControlBytes = 10 * 1024 * 1024;
