import { resolve } from "node:path";
import { type Git, openGit } from "../../../machine/git/index.ts";
import { Deadline, DeadlineReached } from "../../../shared/deadline.ts";
import { readGitLink } from "../../../shared/git-link.ts";
import { listOf } from "../../../shared/text/list-of.ts";
import { quoteControls, quoteWord } from "../../../shared/text/quote-controls.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { refOf, tipOf } from "./branches.ts";
import { keepWork } from "./keep-work.ts";
import { findNestedWork, type NestedWork } from "./nested-work.ts";
import { findRegistration, removeLeftovers, removeWorktree } from "./registrations.ts";
import { branchOf, markWorkSaved, readRecord, readState, type Worktree } from "./worktree-record.ts";

export interface FinishedWorktree extends WorkSummary {
  /** The branch with the work. */
  readonly branch: string;
  readonly isBranchKept: boolean;
  /** The branch's commit; the base if the branch was not kept. */
  readonly commit: string;
}

/**
 * Commits remaining changes, removes the folder, and keeps the branch if it has commits. Safe to call again, even from
 * another process after a crash. If some of the work cannot be kept, the folder and the branch stay, and it throws.
 */
export async function finishWorktree(
  worktree: Worktree,
  { message, signal, timeoutMs = maxFinishMs }: FinishOptions,
): Promise<FinishedWorktree> {
  const deadline = new Deadline(signal);
  deadline.start(timeoutMs);
  try {
    return await finishInTime(worktree, { message, signal: deadline.signal });
  } catch (error) {
    if (!(deadline.reason instanceof DeadlineReached)) throw error;
    const took = `finishing it took longer than ${timeoutMs / 1000} seconds`;
    throw notKept(worktree, new ToolError("timed-out", took, { cause: error }));
  } finally {
    deadline.close();
  }
}

export interface FinishOptions {
  readonly message: string;
  readonly signal?: AbortSignal | undefined;
  /** The limit for all commands of git together; each of them has its own as well. */
  readonly timeoutMs?: number;
}

const maxFinishMs = 10 * 60_000;

async function finishInTime(
  worktree: Worktree,
  { message, signal }: { message: string; signal: AbortSignal },
): Promise<FinishedWorktree> {
  const { gitFolder, repository, folder, base } = worktree;
  const git = openGit({ cwd: gitFolder, untrusted: [repository, folder], gitFolder, signal });
  const registration = await findOwnRegistration(worktree);
  if (registration === undefined && (await isForgotten(worktree))) throw forgotten(worktree);
  let branch = worktree.branch;
  if (registration === undefined) {
    await removeLeftovers(gitFolder);
  } else {
    branch = (await takeWork(git, worktree, { registration, message })) ?? branch;
    await removeWorktree(gitFolder, folder);
  }
  const commit = (await tipOf(git, branch)) ?? base;
  if (commit === base) await git.run(["update-ref", "-d", refOf(branch), base]);
  return { branch, isBranchKept: commit !== base, commit, ...(await summarizeWork(git, base, commit)) };
}

/** Another worktree may have been created in the same place since. */
async function findOwnRegistration({
  gitFolder,
  folder,
  base,
  branch,
}: Worktree): Promise<string | undefined> {
  const registration = await findRegistration(gitFolder, folder);
  const record = registration === undefined ? undefined : await readRecord(registration);
  return record?.base === base && record.branch === branch ? registration : undefined;
}

/** Whether the folder is a worktree that its repository no longer knows, such as after `git worktree prune`. */
async function isForgotten({ gitFolder, folder }: Worktree): Promise<boolean> {
  if ((await findRegistration(gitFolder, folder)) !== undefined) return false;
  const target = await readGitLink(folder);
  return target !== undefined && resolve(target, "../..") === gitFolder;
}

function forgotten(worktree: Worktree): ToolError {
  const hint = "Copy what you need and remove it, or register it again: git worktree add --force.";
  return notKept(
    worktree,
    new ToolError("conflict", "git no longer has it registered as a worktree", { hint }),
  );
}

/** Returns the branch with the work; undefined if another process has finished the worktree meanwhile. */
async function takeWork(
  git: Git,
  worktree: Worktree,
  { registration, message }: { registration: string; message: string },
): Promise<string | undefined> {
  const before = await readState(registration);
  if (before.status !== "left") return branchOf(before);
  let problem: ToolError;
  try {
    const branch = await keepWork(git, worktree, { registration, message });
    if (branch === undefined) return undefined;
    const inner = await findNestedWork(git, worktree, registration);
    if (inner.length === 0) {
      await markWorkSaved(registration, branch);
      return branch;
    }
    problem = leftInside(worktree, { branch, inner });
  } catch (error) {
    problem = notKept(worktree, error);
  }
  // Another process that finishes it at the same time removes the files that were about to be committed.
  const after = await readState(registration);
  if (after.status === "left") throw problem;
  return branchOf(after);
}

function leftInside(
  { folder }: Worktree,
  { branch, inner }: { branch: string; inner: readonly NestedWork[] },
): ToolError {
  const named = inner.slice(0, maxNamed).map(({ path, kind }) => {
    const what = kind === "submodule" ? "changes in the submodule" : "commits in the repository";
    return `${what} ${quoteControls(path)}`;
  });
  const more = inner.length > maxNamed ? [`${inner.length - maxNamed} more`] : [];
  return new ToolError(
    "conflict",
    `the branch ${branch} has all of the work except ${listOf([...named, ...more])}; the folder ${quoteControls(folder)} is kept for that`,
    {
      hint: `Push or copy what you need from there, then remove it: git worktree remove --force ${quoteWord(folder)}`,
    },
  );
}

const maxNamed = 3;

function notKept({ folder, branch }: Worktree, cause: unknown): ToolError {
  const { message } = cause as Error;
  const { code, hint = "Commit the work by hand, or finish the worktree again." } =
    cause instanceof ToolError ? cause : new ToolError("conflict", message);
  return new ToolError(
    code,
    `the work in ${quoteControls(folder)} could not be put on the branch ${branch}: ${message}`,
    { hint: `The folder and the branch are still there. ${hint}`, cause },
  );
}

/** Changes between two commits. */
interface WorkSummary {
  readonly files: readonly ChangedFile[];
  readonly hasMoreFiles: boolean;
  /** The changes in words for people; missing if it takes too long to compute. */
  readonly diffStat?: string | undefined;
}

interface ChangedFile {
  /** Relative to the repository's top; the new name of a renamed file. */
  readonly path: string;
  readonly change: "added" | "changed" | "deleted" | "renamed";
}

async function summarizeWork(git: Git, base: string, commit: string): Promise<WorkSummary> {
  if (base === commit) return { files: [], hasMoreFiles: false };
  const diff = ["diff-tree", "-r", "-M", "--no-ext-diff", "--no-textconv"];
  const [names, stat] = await Promise.all([
    // The work is already saved: having too much of it to list is not a failure.
    git.read([...diff, "-z", "--name-status", base, commit]).catch(() => undefined),
    git
      .read([...diff, `--stat=100,70,${maxStatLines}`, base, commit], { timeoutMs: maxStatMs })
      .catch(() => undefined),
  ]);
  const files = readNames(names?.toString("utf8").split("\0") ?? []);
  return {
    files: files.slice(0, maxFiles),
    hasMoreFiles: names === undefined || files.length > maxFiles,
    diffStat: stat?.toString("utf8").trimEnd() || undefined,
  };
}

const maxFiles = 500;
const maxStatLines = 50;
const maxStatMs = 30_000;

function readNames(fields: readonly string[]): ChangedFile[] {
  const files: ChangedFile[] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const letter = fields[at]?.charAt(0) ?? "";
    // For a renamed file the old name comes first.
    const names = letter === "R" ? 2 : 1;
    files.push({ path: fields[at + names] ?? "", change: changes.get(letter) ?? "changed" });
    at += names + 1;
  }
  return files;
}

const changes = new Map<string, ChangedFile["change"]>([
  ["A", "added"],
  ["D", "deleted"],
  ["R", "renamed"],
]);
