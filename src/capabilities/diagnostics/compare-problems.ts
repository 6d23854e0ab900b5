import type { CheckFinding, Problem } from "./checker.ts";

/** The problems that a checker found last, by absolute path; only of files that it looked at. */
export type KnownProblems = ReadonlyMap<string, readonly Problem[]>;

/** The known problems of the changed files; undefined if one of them has not been looked at before. */
export function knownOf(
  known: KnownProblems | undefined,
  changed: ReadonlySet<string>,
): KnownProblems | undefined {
  const of = [...changed].map((path) => [path, known?.get(path)] as const);
  return of.every((each): each is [string, readonly Problem[]] => each[1] !== undefined)
    ? new Map(of)
    : undefined;
}

/**
 * Finds the problems that are new since the last run. Without an earlier run, everything in the changed files counts as
 * new, and nothing in the others. Lines move with every edit, so a problem is known by its file and its text.
 */
export function compareProblems(
  problems: readonly Problem[],
  { known, changed }: { readonly known: KnownProblems | undefined; readonly changed: ReadonlySet<string> },
): Extract<CheckFinding, { status: "checked" }> {
  const seen = new Map<string, number>();
  for (const problem of [...(known?.values() ?? [])].flat())
    seen.set(keyOf(problem), (seen.get(keyOf(problem)) ?? 0) + 1);
  const fresh: Problem[] = [];
  let before = 0;
  let elsewhere = 0;
  for (const problem of problems) {
    const isHere = changed.has(problem.path);
    const count = seen.get(keyOf(problem)) ?? 0;
    if (count > 0) seen.set(keyOf(problem), count - 1);
    const isNew = known === undefined ? isHere : count === 0;
    if (isNew) fresh.push(problem);
    else if (isHere) before += 1;
    else elsewhere += 1;
  }
  return { status: "checked", fresh, before, elsewhere };
}

function keyOf({ path, code = "", message }: Problem): string {
  return `${path}\0${code}\0${message}`;
}
