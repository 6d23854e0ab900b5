import type { Git } from "../../machine/git/open-git.ts";

/** Changes between two commits. */
export interface WorkSummary {
  readonly files: readonly ChangedFile[];
  readonly hasMoreFiles: boolean;
  /** For people; missing if it takes too long to compute. */
  readonly diffStat?: string;
}

interface ChangedFile {
  /** Relative to the repository's top; the new name of a renamed file. */
  readonly path: string;
  readonly change: "added" | "changed" | "deleted" | "renamed";
}

export async function summarizeWork(git: Git, base: string, commit: string): Promise<WorkSummary> {
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
