import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, parse, relative, sep } from "node:path";
import { errorCodeOf } from "../../../shared/files/error-code.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { trimEndOf } from "../../../shared/text/trim-end-of.ts";
import { checkName } from "../../../tool/define-tool.ts";
import type { SourceProblem } from "../tool-source.ts";

/** A file that should contain a tool, and the tool's name from its path. */
export interface ToolFile {
  readonly name: string;
  readonly group: string | undefined;
  readonly action: string;
  readonly path: string;
  readonly relativePath: string;
  /** Changes whenever the file is written. */
  readonly fingerprint: string;
}

export type FileProblem = Omit<SourceProblem, "source">;

export interface FolderScan {
  readonly files: ToolFile[];
  readonly problems: FileProblem[];
}

interface Directory {
  readonly path: string;
  readonly folders: readonly string[];
  /** Real paths from the root down to here; a link to one of them would loop forever. */
  readonly realPaths: readonly string[];
}

/** Finds a folder's tool files. Calls `onDirectory` before it reads each directory, so that a watch misses nothing. */
export async function scanToolFolder(root: string, onDirectory: (directory: string) => void = () => {}) {
  const found: FolderScan = { files: [], problems: [] };
  const scanDirectory = async (directory: Directory): Promise<void> => {
    onDirectory(directory.path);
    for (const entry of await readSorted(directory.path)) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = join(directory.path, entry.name);
      try {
        await scanEntry(path, entry, directory);
      } catch (error) {
        // Deleted since the directory was read.
        if (errorCodeOf(error) === "ENOENT" && !entry.isSymbolicLink()) continue;
        found.problems.push({ subject: relative(root, path), message: describeThrown(error) });
      }
    }
  };
  const scanEntry = async (path: string, entry: Dirent, directory: Directory): Promise<void> => {
    const realPath = entry.isSymbolicLink() ? await followLink(path, directory) : path;
    const status = await stat(realPath, { bigint: true });
    if (status.isDirectory()) {
      refusePart(entry.name);
      const folders = [...directory.folders, entry.name];
      await scanDirectory({ path, folders, realPaths: [...directory.realPaths, await realpath(path)] });
    } else if (status.isFile() && isToolFile(entry.name)) {
      const action = parse(entry.name).name;
      refusePart(action);
      const fingerprint = `${status.mtimeNs}-${status.ctimeNs}-${status.size}-${status.ino}`;
      const relativePath = relative(root, path);
      found.files.push({ ...composeToolName(directory.folders, action), path, relativePath, fingerprint });
    }
  };
  try {
    await scanDirectory({ path: root, folders: [], realPaths: [await realpath(root)] });
  } catch (error) {
    const message = `the tool folder cannot be read: ${describeThrown(error)}`;
    found.problems.push({ subject: root, message });
  }
  return leaveOutDoubles(found);
}

async function readSorted(path: string): Promise<Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
}

async function followLink(path: string, { realPaths }: Directory): Promise<string> {
  const target = await realpath(path);
  if (!target.startsWith(realPaths[0] + sep)) throw new Error("the link points outside the tool folder");
  if (realPaths.includes(target)) throw new Error("the link points to a folder that contains it");
  return target;
}

function refusePart(part: string): void {
  const refusal = refusePathPart(part);
  if (refusal !== undefined) throw new Error(refusal);
}

const toolExtension = /\.(ts|js|mjs|cjs)$/;
const noTool = /^index\.|\.d\.ts$|\.test\./;

export function isToolFile(name: string): boolean {
  return toolExtension.test(name) && !noTool.test(name);
}

function leaveOutDoubles({ files, problems }: FolderScan): FolderScan {
  const byName = new Map<string, ToolFile>();
  const doubles: FileProblem[] = [];
  for (const file of files) {
    const first = byName.get(file.name);
    if (first === undefined) byName.set(file.name, file);
    else {
      const message = `${file.relativePath} and ${first.relativePath} both define the tool ${file.name}; only ${first.relativePath} is used`;
      doubles.push({ subject: file.relativePath, message });
    }
  }
  return { files: [...byName.values()], problems: [...problems, ...doubles] };
}

/** `["file"]`, `"read"` → `file_read` in group `file`: the path is the only place that states the name. */
function composeToolName(folders: readonly string[], action: string) {
  const group = folders.join("_");
  const name = group === "" ? action : `${group}_${action}`;
  checkName(name, "the name made from the path");
  return { name, action, group: group || undefined };
}

/** Why a part of the path cannot be part of a tool's name, and what to rename it to. */
export function refusePathPart(part: string): string | undefined {
  if (/^[a-z0-9_]+$/.test(part)) return undefined;
  const words = part
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
  const better = trimEndOf(words.replace(/^_+/, ""), "_");
  const rule = "names are made of lower-case letters, digits and underscores";
  return better === "" ? `rename it: ${rule}` : `rename ${part} to ${better}: ${rule}`;
}
