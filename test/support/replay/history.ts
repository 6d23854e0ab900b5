import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { structuredPatch } from "diff";

/** One place where a commit changed a file, and what the file would be with this change alone. */
export interface HistoryHunk {
  readonly commit: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Context, removed and added lines, each with its mark. */
  readonly lines: readonly string[];
  /** What git writes after `@@`: the last line above that begins at the margin. */
  readonly heading: string;
  /** The index of its first line in `before`. */
  readonly first: number;
}

export interface HistoryFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly hunks: readonly HistoryHunk[];
}

const git = async (repository: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)("git", args, { cwd: repository, maxBuffer: 2 ** 28 })).stdout;

/** Commits of a repository that have one parent, newest first; none where there is no history. */
export async function listCommits(repository: string): Promise<string[]> {
  try {
    const log = await git(repository, "log", "--no-merges", "--min-parents=1", "--format=%H");
    return log.split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}

const maxFileCharacters = 200_000;

/** The first files that a commit modified, as far as they are text of ordinary size. */
export async function readCommit(
  repository: string,
  commit: string,
  { maxFiles }: { maxFiles: number },
): Promise<HistoryFile[]> {
  const listed = await git(
    repository,
    "diff-tree",
    "-r",
    "--diff-filter=M",
    "--no-renames",
    `${commit}^`,
    commit,
  );
  const modified = listed
    .split("\n")
    .map((line) => /^:\d+ \d+ (\w+) (\w+) M\t(.*)$/.exec(line))
    .filter((match) => match !== null && !match[3]!.endsWith("package-lock.json"))
    .slice(0, maxFiles)
    .map((match) => ({ oldBlob: match![1]!, newBlob: match![2]!, path: match![3]! }));
  const texts = await readBlobs(
    repository,
    modified.flatMap(({ oldBlob, newBlob }) => [oldBlob, newBlob]),
  );
  return modified.flatMap(({ path }, index) => {
    const [before, after] = [texts[2 * index]!, texts[2 * index + 1]!];
    const isOrdinary = ![before, after].some(
      (text) => text.includes("\0") || text.length > maxFileCharacters,
    );
    return isOrdinary ? [{ path, before, after, hunks: hunksOf(commit, path, before, after) }] : [];
  });
}

/** All of them from one git: starting it takes longer than reading a file. */
async function readBlobs(repository: string, blobs: readonly string[]): Promise<string[]> {
  const child = spawn("git", ["cat-file", "--batch"], {
    cwd: repository,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  child.stdin.end(blobs.map((blob) => `${blob}\n`).join(""));
  const all = await buffer(child.stdout);
  await ended;
  let at = 0;
  return blobs.map(() => {
    const start = all.indexOf("\n", at) + 1;
    const end = start + Number(all.toString("latin1", at, start).split(" ")[2]);
    at = end + 1;
    return all.toString("utf8", start, end);
  });
}

function hunksOf(commit: string, path: string, before: string, after: string): HistoryHunk[] {
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 3 });
  const beforeLines = before.split("\n");
  return hunks.flatMap(({ oldStart, oldLines, lines }) => {
    // Ends of files without a newline are tried on their own.
    if (lines.some((line) => line.startsWith("\\"))) return [];
    const first = oldLines === 0 ? oldStart : oldStart - 1;
    const next = lines.filter((line) => line[0] !== "-").map((line) => line.slice(1));
    const whole = [...beforeLines.slice(0, first), ...next, ...beforeLines.slice(first + oldLines)].join(
      "\n",
    );
    const heading = beforeLines.slice(0, first).findLast((line) => /^[A-Za-z_$]/.test(line)) ?? "";
    return [{ commit, path, before, after: whole, lines, heading: heading.slice(0, 80), first }];
  });
}
