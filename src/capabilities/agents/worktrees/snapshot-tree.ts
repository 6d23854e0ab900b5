import { constants, copyFile, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type Git, gitFailed } from "../../../machine/git/index.ts";
import { oneLine } from "../../../shared/text/one-line.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { checkControlFiles } from "./check-control-files.ts";
import { fieldsOf, listChanges, textOfName } from "./list-changes.ts";

export interface SnapshotOptions {
  /** Git for a working tree with its own git folder. */
  readonly git: Git;
  readonly workTree: string;
  readonly ownGitFolder: string;
  /** Used if there is no index. */
  readonly head: string;
  /** Whether untracked nested repositories are left out, or their files are taken like any others. */
  readonly inner: "left-out" | "taken";
  /** Files that are taken as HEAD has them, or not at all; by their path in the working tree. Default: none. */
  readonly isSecret?: ((path: string) => boolean) | undefined;
  /** Folder for the temporary index, outside the working tree. */
  readonly scratchFolder: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a tree object with a working tree's files as they are, including changed and new but not ignored ones, and
 * returns its id. Neither the working tree nor its index is touched: a temporary index is used. Submodules stay as they
 * are in the index.
 */
export async function snapshotTree(options: SnapshotOptions): Promise<string> {
  await checkControlFiles(options.workTree, { gitFolders: [options.ownGitFolder], signal: options.signal });
  const folder = await mkdtemp(join(options.scratchFolder, "toolwright-index-"));
  try {
    const indexFile = join(folder, "index");
    const git = options.git.at({ indexFile });
    await seedIndex(git, indexFile, options);
    const { gone, present } = await listChanges(git, { ...options, emptyIndex: join(folder, "none") });
    const isSecret = (name: string) => options.isSecret?.(textOfName(name)) ?? false;
    const isTaken = (name: string) => !isSecret(name);
    // Removals first, so that a folder can replace a file.
    if (gone.some(isTaken)) await updateIndex(git, "--force-remove", gone.filter(isTaken));
    if (present.some(isTaken)) await updateIndex(git, "--replace", present.filter(isTaken));
    if (options.isSecret !== undefined) await takeFromHead(git, isSecret, options.head);
    return await git.line(["write-tree"]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A copy of the index knows which files are unchanged, so those need not be read. */
async function seedIndex(
  git: Git,
  indexFile: string,
  { ownGitFolder, head }: SnapshotOptions,
): Promise<void> {
  const source = join(ownGitFolder, "index");
  try {
    const { mtimeMs } = await stat(source);
    await copyFile(source, indexFile, constants.COPYFILE_FICLONE);
    // Keeps the index's time: git detects files changed right after the index was written by comparing times.
    const seconds = Math.floor(mtimeMs / 1000);
    await utimes(indexFile, seconds, seconds);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await git.read(["read-tree", head]);
  }
}

/** Takes secret files as HEAD has them: without uncommitted changes, and without files that are only in the index. */
async function takeFromHead(git: Git, isSecret: (name: string) => boolean, head: string): Promise<void> {
  const indexed = fieldsOf(await git.read(["ls-files", "-z", "--cached"])).filter(isSecret);
  const committed = fieldsOf(await git.read(["ls-tree", "-r", "-z", "--full-tree", head])).flatMap((line) => {
    const [, mode, id, name] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    return name !== undefined && isSecret(name) ? [{ name, entry: `${mode} ${id}\t${name}` }] : [];
  });
  if (indexed.length + committed.length === 0) return;
  const kept = new Set(committed.map(({ name }) => name));
  const dropped = indexed.filter((name) => !kept.has(name)).map((name) => `0 ${"0".repeat(40)}\t${name}`);
  const lines = [...dropped, ...committed.map(({ entry }) => entry)].map((line) => `${line}\0`);
  await git.read(["update-index", "-z", "--index-info"], { input: Buffer.from(lines.join(""), "latin1") });
}

async function updateIndex(git: Git, how: "--force-remove" | "--replace", names: readonly string[]) {
  const args = ["update-index", "--add", "--remove", how, "-z", "--stdin"];
  const end = await git.run(args, {
    input: Buffer.from(names.map((name) => `${name}\0`).join(""), "latin1"),
  });
  if (end.exitCode !== 0) throw gitFailed(args, end);
  const refused = /^Ignoring path (.*)$/m.exec(end.stderr)?.[1];
  if (refused !== undefined) {
    throw new ToolError("conflict", `git cannot store a file with this name: ${oneLine(refused, 200)}`, {
      hint: "Rename the file, or remove it.",
    });
  }
}

/** Commits a tree without hooks, editor or signature, and returns the commit's id. */
export async function commitTree(
  git: Git,
  { tree, parent, message }: { tree: string; parent: string; message: string },
): Promise<string> {
  // Through stdin, because a message may be longer than an argument can be.
  return git.line(["commit-tree", tree, "-p", parent, "-F", "-"], {
    input: `${message.replaceAll("\0", " ").trimEnd()}\n`,
    variables: await missingIdentity(git),
  });
}

/** An identity where none is configured; git would invent one from user and host name, or fail. */
async function missingIdentity(git: Git): Promise<Record<string, string>> {
  const [author, committer] = await Promise.all(
    ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"].map((name) =>
      git.run(["-c", "user.useConfigOnly=true", "var", name]),
    ),
  );
  return {
    ...(author?.exitCode !== 0 && { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email }),
    ...(committer?.exitCode !== 0 && { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }),
  };
}

const name = "Toolwright";
const email = "toolwright@localhost";
