import { basename } from "node:path";
import { type Git, gitFailed } from "../../../machine/git/index.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import { ToolError } from "../../../tool/tool-error.ts";

/** Creates a branch at a commit, with the given name or with one that is still free. */
export async function createBranch(
  git: Git,
  { commit, wanted, folder, announce }: NewBranch & { wanted?: string | undefined; folder: string },
): Promise<string> {
  if (wanted !== undefined) {
    if (!(await tryCreate(git, wanted, { commit, announce }))) throw alreadyThere(wanted);
    return wanted;
  }
  const prefix = (await tipOf(git, "toolwright")) === undefined ? "toolwright/" : "toolwright-";
  return createNumbered(git, `${prefix}${readableName(folder)}`, { commit, announce });
}

interface NewBranch {
  readonly commit: string;
  /** Called before a branch is created, so that one of a process that is then killed can be found. */
  readonly announce?: ((branch: string) => Promise<void>) | undefined;
}

/** Creates a branch with this name, or adds a number if it is taken. `orAt` accepts a branch already at the commit. */
export async function createNumbered(
  git: Git,
  name: string,
  { commit, announce, orAt }: NewBranch & { orAt?: "commit" },
): Promise<string> {
  for (let number = 1; number <= maxNumber; number++) {
    const branch = number === 1 ? name : `${name}-${number}`;
    if (await tryCreate(git, branch, { commit, announce })) return branch;
    if (orAt === "commit" && (await tipOf(git, branch)) === commit) return branch;
  }
  throw alreadyThere(name);
}

const maxNumber = 1000;

/** False if the branch exists. Git makes sure that only one of several processes creates it. */
async function tryCreate(git: Git, branch: string, { commit, announce }: NewBranch): Promise<boolean> {
  if (announce !== undefined) {
    // A branch that exists must not be announced: announced branches are removed if this process is killed.
    if ((await tipOf(git, branch)) !== undefined) return false;
    await announce(branch);
  }
  const args = ["update-ref", refOf(branch), commit, "0".repeat(commit.length)];
  const end = await git.run(args);
  if (end.exitCode === 0) return true;
  if ((await tipOf(git, branch)) !== undefined) return false;
  // `a` and `a/b` cannot both be branches.
  if (/' exists; cannot create '/.test(end.stderr)) return false;
  throw gitFailed(args, end);
}

export async function checkBranchName(git: Git, branch: string): Promise<void> {
  // Git would read `@{-1}` as the previous branch and print that one's name.
  const isPlain =
    isClear(branch) &&
    (await git.run(["check-ref-format", "--branch", branch])).stdout.toString("utf8") === `${branch}\n`;
  if (!isPlain) {
    throw new ToolError("invalid-input", `not a valid branch name: ${quoteControls(branch)}`, {
      hint: "Use letters, digits, dots, dashes and slashes, such as fix/login.",
    });
  }
  if ((await tipOf(git, branch)) !== undefined) throw alreadyThere(branch);
}

/** Whether the name means this branch, and nothing else, to a person who reads it and to git. */
function isClear(branch: string): boolean {
  const names = branch.split("/");
  return (
    /^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/.test(branch) &&
    // Git looks for these elsewhere first.
    !names.some((name) => /^(?:[A-Z]+_)*HEAD$/.test(name)) &&
    !otherKinds.has(names[0]!) &&
    // Such a name is read as a commit.
    !/^[0-9a-f]{7,64}$/.test(branch)
  );
}

const otherKinds = new Set(["refs", "heads", "tags", "remotes", "origin", "upstream", "stash"]);

/** The commit of a branch; undefined if there is no such branch. */
export function tipOf(git: Git, branch: string): Promise<string | undefined> {
  return commitAt(git, refOf(branch));
}

export function commitAt(git: Git, ref: string): Promise<string | undefined> {
  return idAt(git, `${ref}^{commit}`);
}

/** The id that a name stands for in git's words; undefined if it stands for nothing. */
export async function idAt(git: Git, name: string): Promise<string | undefined> {
  const { exitCode, stdout } = await git.run(["rev-parse", "--verify", "--quiet", name]);
  return exitCode === 0 ? stdout.toString("utf8").trim() : undefined;
}

export function refOf(branch: string): string {
  return `refs/heads/${branch}`;
}

function alreadyThere(branch: string): ToolError {
  return new ToolError("already-exists", `the branch ${quoteControls(branch)} already exists`, {
    hint: "Choose another branch name, or leave the name out.",
  });
}

/** The folder's base name, reduced to characters that any branch name may have. */
function readableName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxNameCharacters)
    .replace(/^-|-$/g, "");
  return name === "" ? "work" : name;
}

const maxNameCharacters = 40;
