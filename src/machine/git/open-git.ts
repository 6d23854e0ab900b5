import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "../../shared/options/defined.ts";
import { trustedPath } from "../../shared/programs/trusted-path.ts";
import { oneLine } from "../../shared/text/one-line.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { type GitEnd, runGit, verbOf } from "./run-git.ts";

export interface GitPlace {
  /** Where git runs, and where it looks for the repository unless `gitFolder` is given. */
  readonly cwd: string;
  /** Folders whose programs are never run, even if they are in the PATH. */
  readonly untrusted: readonly string[];
  readonly gitFolder?: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  /** Another repository's objects, to read in addition to its own. */
  readonly objectFolder?: string;
  readonly signal?: AbortSignal | undefined;
}

interface GitUse {
  readonly input?: string | Buffer;
  readonly variables?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/**
 * Git in one repository, set up to run no program that the repository names, to prompt for nothing and to fetch
 * nothing.
 */
export interface Git {
  /** Resolves with any exit code. */
  run(args: readonly string[], use?: GitUse): Promise<GitEnd>;
  /** Returns stdout; throws on failure. */
  read(args: readonly string[], use?: GitUse): Promise<Buffer>;
  /** Returns the one line it prints; throws on failure. */
  line(args: readonly string[], use?: GitUse): Promise<string>;
  /** Gives a git for another place, with the same settings otherwise. */
  at(place: Partial<GitPlace>): Git;
}

export function openGit(place: GitPlace): Git {
  const { cwd, signal } = place;
  const run = async (args: readonly string[], use: GitUse = {}) => {
    const { variables, timeoutMs = maxGitMs, ...rest } = use;
    const environment = { ...(await environmentOf(place)), ...variables };
    const options = { cwd, signal, timeoutMs, environment, ...rest };
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
    // Not trimmed: a path may itself end with a line break.
    line: async (args, use) => (await read(args, use)).toString("utf8").replace(/\n$/, ""),
    at: (other) => openGit({ ...place, ...other }),
  };
}

// Enough to read, pack and write a file of a gigabyte on a slow disk.
const maxGitMs = 3 * 60_000;

/**
 * Given on the command line, so that they override every file and also apply to the gits that git starts. Filters stay
 * as they are, because Git LFS is one, and without it large files would be committed whole. They run only as the user's
 * settings name them, never as a file of the working tree does.
 */
const settings = Object.entries({
  "advice.addEmbeddedRepo": "false",
  "commit.gpgSign": "false",
  "core.editor": "true",
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
  "core.quotePath": "false",
  // It would reject a file because of its line endings.
  "core.safecrlf": "false",
  // Both would leave data in the repository for a temporary index.
  "core.splitIndex": "false",
  "core.untrackedCache": "false",
  // Either would keep running in the background.
  "gc.auto": "0",
  "maintenance.auto": "false",
  "i18n.commitEncoding": "UTF-8",
  "safe.bareRepository": "explicit",
  "submodule.recurse": "false",
}).flatMap(([key, value]) => ["-c", `${key}=${value}`]);

async function environmentOf(place: GitPlace): Promise<Record<string, string>> {
  const { gitFolder, workTree, indexFile, objectFolder, untrusted } = place;
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (!entry[0].startsWith("GIT_") || identity.has(entry[0])),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: await trustedPath(process.env.PATH ?? "", untrusted, "git"),
    LC_ALL: "C",
    LANGUAGE: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // A name with a star or a colon is just a name.
    GIT_LITERAL_PATHSPECS: "1",
    // Objects missing from a partial clone must not be fetched by a program that its settings name.
    GIT_ALLOW_PROTOCOL: "",
    GIT_NO_LAZY_FETCH: "1",
    ...defined({
      GIT_DIR: gitFolder,
      GIT_WORK_TREE: workTree,
      GIT_INDEX_FILE: indexFile,
      // Quoted, because a colon separates folders.
      GIT_ALTERNATE_OBJECT_DIRECTORIES: objectFolder && JSON.stringify(objectFolder),
    }),
  };
}

// Some users set their identity here and not in a file.
const identity = new Set([
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
]);

/**
 * Retries while another git gets in the way: it holds a lock for a moment, a worktree that it is creating cannot be read
 * yet, or it removes the folder of the last worktree while this git is about to create the next.
 */
async function runPastOthers(run: () => Promise<GitEnd>): Promise<GitEnd> {
  let end = await run();
  for (const pauseMs of [10, 20, 50, 100, 200, 400]) {
    if (end.exitCode === 0 || !isInTheWay(end.stderr)) break;
    // Jitter keeps several gits from retrying at the same moment.
    await sleep(pauseMs * (0.5 + Math.random()));
    end = await run();
  }
  return end;
}

/** Looks for the words in each line in their order: an expression would try every place for each of them. */
function isInTheWay(said: string): boolean {
  return said.split("\n").some((line) => {
    const words = line.toLowerCase();
    return inTheWay.some((parts) => {
      let from = 0;
      return parts.every((part) => {
        const at = words.indexOf(part, from);
        from = at + part.length;
        return at !== -1;
      });
    });
  });
}

const inTheWay: readonly (readonly string[])[] = [
  ["could not lock "],
  [".lock': file exists"],
  ["failed to read ", "/worktrees/"],
  ["could not create directory of ", "/worktrees/", ": no such file"],
  ["could not open ", "/worktrees/", ": no such file"],
];

export function gitFailed(args: readonly string[], { exitCode, stderr }: GitEnd): ToolError {
  const said = oneLine(stderr, maxSaidCharacters) || `exit code ${exitCode}`;
  return new ToolError("conflict", `git ${verbOf(args)} failed: ${said}`);
}

const maxSaidCharacters = 500;
