import { realpath } from "node:fs/promises";
import { type Git, type GitEnd, openGit } from "../../../machine/git/index.ts";
import { oneLine } from "../../../shared/text/one-line.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { commitAt } from "./branches.ts";

/** The repository that contains a workspace. */
export interface Repository {
  /** Git in the parent's working tree. */
  readonly git: Git;
  readonly workspace: string;
  /** The top of the working tree. */
  readonly top: string;
  /** The working tree's own git folder, with its index and HEAD. */
  readonly ownGitFolder: string;
  /** The git folder that all worktrees share. */
  readonly gitFolder: string;
  readonly head: string;
}

export async function findRepository(folder: string, signal?: AbortSignal): Promise<Repository> {
  const workspace = await realpath(folder).catch((cause) => {
    throw new ToolError("not-found", `${quoteControls(folder)} does not exist`, { cause });
  });
  const looking = openGit({ cwd: workspace, untrusted: [workspace], signal });
  const found = await looking.run(["rev-parse", "--show-toplevel"]);
  if (found.exitCode !== 0) throw noWorkingTree(workspace, found);
  const top = found.stdout.toString("utf8").replace(/\n$/, "");
  const [ownGitFolder, gitFolder] = await Promise.all([
    looking.line(["rev-parse", "--absolute-git-dir"]),
    looking.line(["rev-parse", "--path-format=absolute", "--git-common-dir"]),
  ]);
  const git = openGit({ cwd: top, untrusted: [top], gitFolder: ownGitFolder, workTree: top, signal });
  const head = await commitAt(git, "HEAD");
  if (head === undefined) throw noCommit(top);
  return { git, workspace, top, ownGitFolder, gitFolder, head };
}

function noWorkingTree(workspace: string, { stderr }: GitEnd): ToolError {
  const place = quoteControls(workspace);
  if (/not a git repository/i.test(stderr)) {
    return new ToolError("unsupported", `${place} is not in a git repository`, {
      hint: "Work in the workspace itself, or make it a repository: git init, then a first commit.",
    });
  }
  if (/must be run in a work tree|bare repository/i.test(stderr)) {
    return new ToolError("unsupported", `${place} is in a bare repository, which has no files to work on`, {
      hint: "Create a working tree first: git worktree add <folder>.",
    });
  }
  return new ToolError("unsupported", `git does not work in ${place}: ${oneLine(stderr, 500)}`, {
    hint: "Make sure that git status works there.",
  });
}

function noCommit(top: string): ToolError {
  return new ToolError("conflict", `the repository ${quoteControls(top)} has no commits yet`, {
    hint: "Make a first commit; it may be empty: git commit --allow-empty -m begin.",
  });
}
