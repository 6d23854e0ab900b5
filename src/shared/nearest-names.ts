/** The names somebody may have meant, best first; none when nothing is close. */
export function nearestNames(name: string, candidates: Iterable<string>, max = 3): string[] {
  const wanted = name.toLowerCase();
  if (wanted === "") return [];
  const wantedWords = wordsOf(wanted);
  const measureEdits = createEditMeter(wanted);
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of candidates) {
    const offered = candidate.toLowerCase();
    const score = Math.min(
      measureEdits(offered),
      scoreParts(wanted, offered),
      scoreWords(wantedWords, offered),
    );
    if (score !== Number.POSITIVE_INFINITY) scored.push({ candidate, score });
  }
  scored.sort((left, right) => left.score - right.score || compareText(left.candidate, right.candidate));
  return scored.slice(0, max).map(({ candidate }) => candidate);
}

function wordsOf(name: string): string[] {
  return name.split(/[_-]+/).filter((word) => word !== "");
}

const maxEdits = 4;

/**
 * Counts the insertions, deletions, replacements and swaps of neighbours between a name and another,
 * up to a limit that grows with the name: three edits turn any four letters into almost any others.
 */
function createEditMeter(wanted: string): (offered: string) => number {
  const limit = Math.min(maxEdits, Math.max(1, Math.floor(wanted.length / 3)));
  let beforePrevious: number[] = [];
  let previous: number[] = [];
  let current: number[] = [];
  return (offered) => {
    if (Math.abs(offered.length - wanted.length) > limit) return Number.POSITIVE_INFINITY;
    for (let column = 0; column <= offered.length; column++) previous[column] = column;
    for (let row = 1; row <= wanted.length; row++) {
      // Cells further than the limit from the diagonal cost more than the limit, so only the band is filled.
      const first = Math.max(1, row - limit);
      const last = Math.min(offered.length, row + limit);
      current[first - 1] = first === 1 ? row : limit + 1;
      let lowest = current[first - 1]!;
      for (let column = first; column <= last; column++) {
        const same = wanted[row - 1] === offered[column - 1];
        const above = column === row + limit ? limit + 1 : previous[column]!;
        let cost = Math.min(above + 1, current[column - 1]! + 1, previous[column - 1]! + (same ? 0 : 1));
        if (!same && row > 1 && column > 1 && isSwap(wanted, row, offered, column)) {
          cost = Math.min(cost, beforePrevious[column - 2]! + 1);
        }
        current[column] = cost;
        if (cost < lowest) lowest = cost;
      }
      if (lowest > limit) return Number.POSITIVE_INFINITY;
      [beforePrevious, previous, current] = [previous, current, beforePrevious];
    }
    const edits = previous[offered.length]!;
    return edits <= limit ? edits : Number.POSITIVE_INFINITY;
  };
}

function isSwap(wanted: string, row: number, offered: string, column: number): boolean {
  return wanted[row - 1] === offered[column - 2] && wanted[row - 2] === offered[column - 1];
}

const minPartLength = 3;

/** One name begins with the other, or holds it somewhere; the less is left over, the better. */
function scoreParts(wanted: string, offered: string): number {
  const [short, long] = wanted.length < offered.length ? [wanted, offered] : [offered, wanted];
  if (short.length < minPartLength || !long.includes(short)) return Number.POSITIVE_INFINITY;
  const leftOver = (long.length - short.length) / long.length;
  return (long.startsWith(short) ? 1.5 : 2) + leftOver;
}

/** The same words in another order, or at least half of them. */
function scoreWords(wantedWords: readonly string[], offered: string): number {
  const offeredWords = wordsOf(offered);
  const longest = Math.max(wantedWords.length, offeredWords.length);
  const shared = wantedWords.filter((word) => offeredWords.includes(word)).length;
  if (longest < 2 || shared * 2 < longest) return Number.POSITIVE_INFINITY;
  return shared === longest ? 0.5 : 4 - shared / longest;
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
