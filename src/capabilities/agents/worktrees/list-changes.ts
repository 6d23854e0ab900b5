import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import type { Git } from "../../../machine/git/index.ts";
import { oneLine } from "../../../shared/text/one-line.ts";
import { ToolError } from "../../../tool/tool-error.ts";

interface ListOptions {
  readonly workTree: string;
  /** Whether untracked nested repositories are left out, or their files are taken like any others. */
  readonly inner: "left-out" | "taken";
  /** A path where no index exists. */
  readonly emptyIndex: string;
}

/**
 * Files that differ from the index: those that are gone, and those that are changed or new. Names are relative to the
 * working tree, one character per byte, because not every name is valid text.
 */
export async function listChanges(git: Git, { workTree, inner, emptyIndex }: ListOptions) {
  const [changed, untracked] = await Promise.all([
    git.read(["diff-files", "-z", "--name-status", "--no-renames", "--ignore-submodules=all"]),
    listUntracked(git, { workTree, inner, emptyIndex }),
  ]);
  const states = new Map<string, string>();
  const fields = fieldsOf(changed);
  // A file with a conflict is listed twice, for the conflict and for its current state.
  for (let at = 0; at + 1 < fields.length; at += 2) states.set(fields[at + 1] ?? "", fields[at] ?? "");
  const { gone = [], changed: left = [] } = Object.groupBy(states.keys(), (name) =>
    states.get(name) === "D" ? "gone" : "changed",
  );
  const present = [...left, ...untracked.files];
  await checkSize(workTree, present);
  return { gone, present };
}

/** The text of a name with one character per byte. */
export function textOfName(name: string): string {
  return Buffer.from(name, "latin1").toString("utf8");
}

/** The fields of git's output, which end with a zero byte each; one character per byte. */
export function fieldsOf(output: Buffer): string[] {
  return output.toString("latin1").split("\0").slice(0, -1);
}

/** Untracked files and repositories. File names are bytes, repository names are text. */
export async function listUntracked(
  git: Git,
  { workTree, inner, emptyIndex }: ListOptions,
): Promise<{ files: string[]; repositories: string[] }> {
  const list = ["ls-files", "-z", "--others", "--exclude-standard"];
  const files: string[] = [];
  const repositories: string[] = [];
  const waiting = fieldsOf(await git.read(list));
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    // Git lists a nested repository by its folder only.
    if (!name.endsWith("/")) files.push(name);
    else if (inner === "taken") {
      repositories.push(textOfName(name.slice(0, -1)));
      if (repositories.length > maxRepositories) throw tooManyRepositories();
      const folder = pathOf(workTree, name).toString("utf8");
      // With the folder as plain working tree, git does not see a repository there, nor read its settings.
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
 * The limit for all changed files together. They are written twice, to the repository and to the new working tree, and stay
 * in the repository for weeks. More bytes are not work but files that .gitignore should name.
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
  const name = oneLine(textOfName(largest.name), 200);
  throw new ToolError(
    "too-large",
    `uncommitted files take ${megabytes(total)}, more than the limit of ${megabytes(maxBytes)}; the largest is ${name} with ${megabytes(largest.size)}`,
    { hint: "Add files that you do not need to .gitignore, or commit them." },
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
    { hint: "Remove those that you do not need." },
  );
}
