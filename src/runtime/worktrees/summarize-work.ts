import type { Git } from "./open-git.ts";

/** What was done between two commits. */
export interface WorkSummary {
  readonly files: readonly ChangedFile[];
  readonly hasMoreFiles: boolean;
  /** For a reader; missing where it takes too long to count. */
  readonly diffStat?: string;
}

interface ChangedFile {
  /** Relative to the repository's top; of a renamed one the new name. */
  readonly path: string;
  readonly change: "added" | "changed" | "deleted" | "renamed";
}

export async function summarizeWork(git: Git, base: string, commit: string): Promise<WorkSummary> {
  if (base === commit) return { files: [], hasMoreFiles: false };
  const diff = ["diff-tree", "-r", "-M", "--no-ext-diff", "--no-textconv"];
  const [names, stat] = await Promise.all([
    // The work is safe by now: that there is too much of it to be told is no failure.
    git.read([...diff, "-z", "--name-status", base, commit]).catch(() => undefined),
    git
      .read([...diff, `--stat=100,70,${maxStatLines}`, base, commit], { timeoutMs: maxStatMs })
      .catch(() => undefined),
  ]);
  const files = readNames(names?.toString("utf8").split("\0") ?? []);
  const diffStat = stat?.toString("utf8").trimEnd();
  return {
    files: files.slice(0, maxFiles),
    hasMoreFiles: names === undefined || files.length > maxFiles,
    ...(diffStat && { diffStat }),
  };
}

const maxFiles = 500;
const maxStatLines = 50;
const maxStatMs = 30_000;

function readNames(fields: readonly string[]): ChangedFile[] {
  const files: ChangedFile[] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const letter = fields[at]?.charAt(0) ?? "";
    // Of a renamed one the old name comes first.
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
