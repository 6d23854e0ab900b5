import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import { oneLine } from "../../shared/text/one-line.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Git } from "./open-git.ts";

/** Names relative to the working tree, one character per byte: not every name is text. */
export interface WorktreeChanges {
  readonly gone: readonly string[];
  /** Changed or new. */
  readonly present: readonly string[];
}

interface ListOptions {
  readonly workTree: string;
  /** Whether repositories inside that git knows nothing of are left out, or their files are taken like any others. */
  readonly inner: "left-out" | "taken";
  /** Where there is no index. */
  readonly emptyIndex: string;
}

/** What is not as the index has it. */
export async function listChanges(
  git: Git,
  { workTree, inner, emptyIndex }: ListOptions,
): Promise<WorktreeChanges> {
  const [changed, untracked] = await Promise.all([
    git.read(["diff-files", "-z", "--name-status", "--no-renames", "--ignore-submodules=all"]),
    listUntracked(git, { workTree, inner, emptyIndex }),
  ]);
  const states = new Map<string, string>();
  const fields = fieldsOf(changed);
  // A file with a conflict is named twice, by the conflict and by what became of it.
  for (let at = 0; at + 1 < fields.length; at += 2) states.set(fields[at + 1] ?? "", fields[at] ?? "");
  const names = [...states.keys()];
  const present = [...names.filter((name) => states.get(name) !== "D"), ...untracked.files];
  await checkSize(workTree, present);
  return { gone: names.filter((name) => states.get(name) === "D"), present };
}

function fieldsOf(output: Buffer): string[] {
  return output.toString("latin1").split("\0").slice(0, -1);
}

/** Files that git knows nothing of, and repositories. Of files the names are bytes, of repositories text. */
export async function listUntracked(
  git: Git,
  { workTree, inner, emptyIndex }: ListOptions,
): Promise<{ files: string[]; repositories: string[] }> {
  const list = ["ls-files", "-z", "--others", "--exclude-standard"];
  const files: string[] = [];
  const repositories: string[] = [];
  const waiting = fieldsOf(await git.read(list));
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    // Git names a repository by its folder, and does not look into it.
    if (!name.endsWith("/")) files.push(name);
    else if (inner === "taken") {
      repositories.push(Buffer.from(name.slice(0, -1), "latin1").toString("utf8"));
      if (repositories.length > maxRepositories) throw tooManyRepositories();
      const folder = pathOf(workTree, name).toString("utf8");
      // Seen from its own folder it is none, so that not even its settings are read.
      const inside = git.at({ workTree: folder, cwd: folder, indexFile: emptyIndex });
      for (const below of fieldsOf(await inside.read(list))) waiting.push(name + below);
    }
  }
  return { files, repositories };
}

const maxRepositories = 100;

function pathOf(workTree: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${workTree}/`), Buffer.from(name, "latin1")]);
}

/**
 * Everything is written twice, to the repository and to the new working tree, and stays in the repository for weeks. More than
 * this is no work of a person but something that somebody forgot to have ignored.
 */
const maxBytes = 2 ** 30;

async function checkSize(workTree: string, names: readonly string[]): Promise<void> {
  let total = 0;
  let largest = { name: "", size: -1 };
  for (let at = 0; at < names.length; at += filesAtOnce) {
    const some = names.slice(at, at + filesAtOnce);
    const all = await Promise.all(
      some.map((name) => lstat(pathOf(workTree, name)).catch((): Pick<Stats, "size"> => ({ size: 0 }))),
    );
    for (const [index, { size }] of all.entries()) {
      total += size;
      if (size > largest.size) largest = { name: some[index] ?? "", size };
    }
  }
  if (total <= maxBytes) return;
  const name = oneLine(Buffer.from(largest.name, "latin1").toString("utf8"), 200);
  throw new ToolError(
    "too-large",
    `the files that are not committed are ${megabytes(total)} together, more than ${megabytes(maxBytes)}; the largest is ${name} with ${megabytes(largest.size)}`,
    { hint: "Have git ignore what need not be kept, or commit it." },
  );
}

const filesAtOnce = 64;

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MB`;
}

function tooManyRepositories(): ToolError {
  return new ToolError(
    "too-large",
    `there are more than ${maxRepositories} repositories in the working tree`,
    {
      hint: "Remove those that need not be kept.",
    },
  );
}
