import type { CheckFinding, Problem } from "./checker.ts";

/**
 * Compares the problems of each run of a checker with those of earlier runs. With `isWhole`, each run looks at all files;
 * otherwise it says nothing of those that have not changed.
 */
export function createComparison({ isWhole }: { readonly isWhole: boolean }) {
  /** The problems found last, by absolute path; only of files that the checker looked at. */
  let known: ReadonlyMap<string, readonly Problem[]> | undefined;
  return (problems: readonly Problem[], changed: ReadonlySet<string>) => {
    const paths = isWhole ? (known?.keys() ?? changed) : changed;
    const lists = [...paths].map((path) => known?.get(path));
    const earlier = lists.every((list) => list !== undefined) ? lists.flat() : undefined;
    const withoutAny = [...changed].map((path) => [path, []] as const);
    // A run may tell a part of the problems in files that it only passes through.
    const unchanged = isWhole ? [] : [...(known ?? [])].filter(([path]) => !changed.has(path));
    known = new Map([...withoutAny, ...Map.groupBy(problems, ({ path }) => path), ...unchanged]);
    return compareProblems(problems, earlier, changed);
  };
}

/**
 * Finds the problems that are new since the last run. Without an earlier run, everything in the changed files counts as
 * new, and nothing in the others. Lines move with every edit, so a problem is known by its file and its text.
 */
function compareProblems(
  problems: readonly Problem[],
  earlier: readonly Problem[] | undefined,
  changed: ReadonlySet<string>,
): Extract<CheckFinding, { status: "checked" }> {
  const seen = new Map<string, number>();
  for (const problem of earlier ?? []) seen.set(keyOf(problem), (seen.get(keyOf(problem)) ?? 0) + 1);
  const fresh: Problem[] = [];
  let before = 0;
  let elsewhere = 0;
  for (const problem of problems) {
    const isHere = changed.has(problem.path);
    const count = seen.get(keyOf(problem)) ?? 0;
    if (count > 0) seen.set(keyOf(problem), count - 1);
    const isNew = earlier === undefined ? isHere : count === 0;
    if (isNew) fresh.push(problem);
    else if (isHere) before += 1;
    else elsewhere += 1;
  }
  return { status: "checked", fresh, before, elsewhere };
}

function keyOf({ path, code = "", message }: Problem): string {
  return `${path}\0${code}\0${message}`;
}
