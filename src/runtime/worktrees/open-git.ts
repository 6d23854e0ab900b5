import { isAbsolute } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { relativeInside } from "../../shared/relative-inside.ts";
import { oneLine } from "../../shared/text/one-line.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { type GitEnd, runGit, verbOf } from "./run-git.ts";

export interface GitPlace {
  /** Where git runs, and from where it looks for the repository unless `gitFolder` names it. */
  readonly cwd: string;
  /** Folders whose programs are not run, whatever the PATH says. */
  readonly untrusted: readonly string[];
  readonly gitFolder?: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  /** Objects of another repository, to be read beside its own. */
  readonly objectFolder?: string;
  readonly signal?: AbortSignal | undefined;
}

interface GitUse {
  readonly input?: string | Buffer;
  readonly variables?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Git in one repository, such that it runs nothing that the repository names, asks nobody and fetches nothing. */
export interface Git {
  /** Whatever its exit code is. */
  run(args: readonly string[], use?: GitUse): Promise<GitEnd>;
  /** What it prints; anything but success is an error. */
  read(args: readonly string[], use?: GitUse): Promise<Buffer>;
  /** The one line it prints. */
  line(args: readonly string[], use?: GitUse): Promise<string>;
  /** The same git somewhere else. */
  at(place: Partial<GitPlace>): Git;
}

export function openGit(place: GitPlace): Git {
  const { cwd, signal } = place;
  const run = async (args: readonly string[], use: GitUse = {}) => {
    const { variables, timeoutMs = maxGitMs, ...rest } = use;
    const options = {
      cwd,
      signal,
      timeoutMs,
      maxOutputBytes,
      environment: { ...environmentOf(place), ...variables },
      ...rest,
    };
    return runPastOthers(() => runGit([...settings, ...args], options));
  };
  const read = async (args: readonly string[], use?: GitUse) => {
    const end = await run(args, use);
    if (end.exitCode !== 0) throw gitFailed(args, end);
    return end.stdout;
  };
  return {
    run,
    read,
    // A path may end with a line break of its own.
    line: async (args, use) => (await read(args, use)).toString("utf8").replace(/\n$/, ""),
    at: (other) => openGit({ ...place, ...other }),
  };
}

// A file of a gigabyte is read, packed and written within it on a slow disk.
const maxGitMs = 10 * 60_000;
// Half a million names of files.
const maxOutputBytes = 64 * 2 ** 20;

/**
 * Given on the command line, where they bind before any file, and what git starts as well. Filters are left as they are
 * (large files are kept by one, and would be committed whole without it): they run only as the user's settings name them,
 * never as a file of the working tree does.
 */
const settings = Object.entries({
  "advice.addEmbeddedRepo": "false",
  "commit.gpgSign": "false",
  "core.editor": "true",
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
  "core.quotePath": "false",
  // It would refuse a file for its line breaks.
  "core.safecrlf": "false",
  // Both would keep something in the repository for an index that is soon gone.
  "core.splitIndex": "false",
  "core.untrackedCache": "false",
  // Either would go on in the background.
  "gc.auto": "0",
  "maintenance.auto": "false",
  "i18n.commitEncoding": "UTF-8",
  "safe.bareRepository": "explicit",
  "submodule.recurse": "false",
}).flatMap(([key, value]) => ["-c", `${key}=${value}`]);

function environmentOf(place: GitPlace): Record<string, string> {
  const { gitFolder, workTree, indexFile, objectFolder, untrusted } = place;
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (!entry[0].startsWith("GIT_") || identity.has(entry[0])),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: trustedPath(process.env.PATH ?? "", untrusted),
    LC_ALL: "C",
    LANGUAGE: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // A name with a star or a colon in it is just a name.
    GIT_LITERAL_PATHSPECS: "1",
    // What is missing of a partial clone is not fetched by a program that its settings name.
    GIT_ALLOW_PROTOCOL: "",
    GIT_NO_LAZY_FETCH: "1",
    ...(gitFolder !== undefined && { GIT_DIR: gitFolder }),
    ...(workTree !== undefined && { GIT_WORK_TREE: workTree }),
    ...(indexFile !== undefined && { GIT_INDEX_FILE: indexFile }),
    // Quoted, since a colon would begin another one.
    ...(objectFolder !== undefined && { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objectFolder) }),
  };
}

// Some say by these, and not in a file, who they are.
const identity = new Set([
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
]);

function trustedPath(path: string, untrusted: readonly string[]): string {
  const isTrusted = (folder: string) =>
    isAbsolute(folder) && !untrusted.some((one) => relativeInside(one, folder) !== undefined);
  // An empty PATH would mean the folder that git is started in.
  return path.split(":").filter(isTrusted).join(":") || "/usr/bin:/bin";
}

/**
 * Another git holds a file it writes for a moment only; a worktree that it is making cannot be read just then; and whoever
 * finishes the last one takes away the folder in which git was about to make the next.
 */
async function runPastOthers(run: () => Promise<GitEnd>): Promise<GitEnd> {
  let end = await run();
  for (const pauseMs of [10, 20, 50, 100, 200, 400]) {
    if (end.exitCode === 0 || !inTheWay.test(end.stderr)) break;
    // Not all of them again at the same moment.
    await sleep(pauseMs * (0.5 + Math.random()));
    end = await run();
  }
  return end;
}

const inTheWay =
  /could not lock |\.lock': File exists|failed to read .*\/worktrees\/|could not (?:create directory of|open) .*\/worktrees\/.*: No such file/i;

export function gitFailed(args: readonly string[], { exitCode, stderr }: GitEnd): ToolError {
  const said = oneLine(stderr, maxSaidCharacters) || `it ended with ${exitCode}`;
  return new ToolError("conflict", `git ${verbOf(args)} failed: ${said}`);
}

const maxSaidCharacters = 500;
