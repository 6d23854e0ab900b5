/** A possible place of a change: the range of line indexes that it changes. */
export interface Candidate {
  readonly start: number;
  readonly end: number;
}

export type Choice =
  | { readonly kind: "chosen"; readonly indexes: readonly number[] }
  /** Index of the first change that fits several places. */
  | { readonly kind: "ambiguous"; readonly change: number }
  | { readonly kind: "overlapping"; readonly change: number };

/**
 * Finds the only way to place all changes in the order given, without overlap. If every change fits exactly one place,
 * their order does not matter.
 */
export function choosePlaces(changes: readonly (readonly Candidate[])[]): Choice {
  const ways = countWays(changes);
  const total = ways.at(-1)?.reduce((sum, count) => sum + count, 0) ?? 0;
  if (total === 1) return { kind: "chosen", indexes: followBack(changes, ways) };
  const change = changes.findIndex((candidates) => candidates.length > 1);
  if (change !== -1) return { kind: "ambiguous", change };
  const overlapping = findOverlap(changes.map(([candidate]) => candidate!));
  return overlapping === undefined
    ? { kind: "chosen", indexes: changes.map(() => 0) }
    : { kind: "overlapping", change: overlapping };
}

/** For each candidate, the number of ways to place the changes up to it, counted up to 2. */
function countWays(changes: readonly (readonly Candidate[])[]): number[][] {
  const ways: number[][] = [];
  for (const [index, candidates] of changes.entries()) {
    const before = changes[index - 1];
    ways.push(
      candidates.map((candidate) =>
        before === undefined
          ? 1
          : Math.min(
              2,
              before.reduce(
                (sum, other, place) => (other.end <= candidate.start ? sum + ways[index - 1]![place]! : sum),
                0,
              ),
            ),
      ),
    );
  }
  return ways;
}

/** Reconstructs the only way, last change first. */
function followBack(changes: readonly (readonly Candidate[])[], ways: readonly number[][]): number[] {
  const indexes: number[] = [];
  let limit = Number.POSITIVE_INFINITY;
  for (let index = changes.length - 1; index >= 0; index--) {
    const chosen = changes[index]!.findIndex(({ end }, place) => ways[index]![place]! > 0 && end <= limit);
    indexes.unshift(chosen);
    limit = changes[index]![chosen]!.start;
  }
  return indexes;
}

function findOverlap(candidates: readonly Candidate[]): number | undefined {
  const inOrder = candidates
    .map((candidate, index) => ({ ...candidate, index }))
    .sort((left, right) => left.start - right.start || left.end - right.end);
  return inOrder.find(({ start }, place) => place > 0 && start < inOrder[place - 1]!.end)?.index;
}
