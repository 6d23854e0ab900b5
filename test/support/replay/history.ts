import { execFile } from "node:child_process";
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

/** The files that a commit modified, as far as they are text of ordinary size. */
export async function readCommit(repository: string, commit: string): Promise<HistoryFile[]> {
  const listed = await git(
    repository,
    "diff-tree",
    "-r",
    "--diff-filter=M",
    "--no-renames",
    `${commit}^`,
    commit,
  );
  const files: HistoryFile[] = [];
  for (const line of listed.split("\n").filter((line) => line !== "")) {
    const [, , oldBlob, newBlob, , path] = /^:(\d+) \d+ (\w+) (\w+) (\w)\t(.*)$/.exec(line) ?? fields(line);
    if (path === undefined || path.endsWith("package-lock.json")) continue;
    const [before, after] = await Promise.all(
      [oldBlob!, newBlob!].map((blob) => git(repository, "cat-file", "blob", blob)),
    );
    const isOrdinary = ![before!, after!].some(
      (text) => text.includes("\0") || text.length > maxFileCharacters,
    );
    if (isOrdinary)
      files.push({ path, before: before!, after: after!, hunks: hunksOf(commit, path, before!, after!) });
  }
  return files;
}

function fields(line: string): (string | undefined)[] {
  const [modes = "", path] = line.split("\t");
  const [, , oldBlob, newBlob] = modes.split(" ");
  return ["", "", oldBlob, newBlob, "", path];
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
