/** The names that may have been meant, best first; none if nothing is close. */
export function nearestNames(name: string, candidates: Iterable<string>, max = 3): string[] {
  const wanted = name.slice(0, maxNameLength).toLowerCase();
  if (wanted === "") return [];
  const wantedWords = wanted.split(/[_-]+/).filter((word) => word !== "");
  const measureEdits = createEditMeter(wanted);
  const best: Scored[] = [];
  for (const candidate of candidates) {
    const offered = candidate.toLowerCase();
    const worst = best.length < max ? Number.POSITIVE_INFINITY : best.at(-1)?.score;
    const score = Math.min(
      measureEdits(offered, worst),
      scoreParts(wanted, offered),
      scoreWords(wantedWords, offered),
    );
    if (score !== Number.POSITIVE_INFINITY) keepBest(best, { candidate, score }, max);
  }
  return best.map(({ candidate }) => candidate);
}

// Models have been seen to put a whole file into a name; every step below takes time for each letter or word of it.
const maxNameLength = 200;

interface Scored {
  readonly candidate: string;
  readonly score: number;
}

const maxEdits = 4;

/**
 * Counts the insertions, deletions, replacements and swaps of neighbours between two names,
 * up to a limit that grows with the name: three edits can turn four letters into almost any others, and one edit one letter.
 */
function createEditMeter(wanted: string): (offered: string, worst?: number) => number {
  const maxOfName = Math.min(maxEdits, wanted.length - 1, Math.max(1, Math.floor(wanted.length / 3)));
  const countLacking = createLetterCount(wanted);
  let beforePrevious: number[] = [];
  let previous: number[] = [];
  let current: number[] = [];
  return (offered, worst = maxOfName) => {
    // No need to count beyond the worst of the names kept so far.
    const limit = Math.min(maxOfName, Math.floor(worst));
    if (Math.abs(offered.length - wanted.length) > limit || countLacking(offered) > limit)
      return Number.POSITIVE_INFINITY;
    for (let column = 0; column <= offered.length; column++) previous[column] = column;
    for (let row = 1; row <= wanted.length; row++) {
      // Cells further than the limit from the diagonal cost more than the limit, so only the band is filled.
      const first = Math.max(1, row - limit);
      const last = Math.min(offered.length, row + limit);
      current[first - 1] = first === 1 ? row : limit + 1;
      let lowest = current[first - 1]!;
      for (let column = first; column <= last; column++) {
        const same = wanted.charCodeAt(row - 1) === offered.charCodeAt(column - 1);
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

/**
 * Counts the letters of the wanted name that another lacks, in any position: each needs at least one edit. This is
 * quick, and rules out most names before their distance is measured.
 */
function createLetterCount(wanted: string): (offered: string) => number {
  // Letters that share a slot count as the same, so the count may be too low but never too high.
  const counts = new Int32Array(128);
  for (let index = 0; index < wanted.length; index++) counts[wanted.charCodeAt(index) & 127]! += 1;
  return (offered) => {
    let found = 0;
    for (let index = 0; index < offered.length; index++) {
      const slot = offered.charCodeAt(index) & 127;
      if (counts[slot]! > 0) found += 1;
      counts[slot]! -= 1;
    }
    for (let index = 0; index < offered.length; index++) counts[offered.charCodeAt(index) & 127]! += 1;
    return wanted.length - found;
  };
}

function isSwap(wanted: string, row: number, offered: string, column: number): boolean {
  return (
    wanted.charCodeAt(row - 1) === offered.charCodeAt(column - 2) &&
    wanted.charCodeAt(row - 2) === offered.charCodeAt(column - 1)
  );
}

const minPartLength = 3;

/** One name begins with the other, or contains it; the less is left over, the better. */
function scoreParts(wanted: string, offered: string): number {
  const [short, long] = wanted.length < offered.length ? [wanted, offered] : [offered, wanted];
  if (short.length < minPartLength || !long.includes(short)) return Number.POSITIVE_INFINITY;
  const leftOver = (long.length - short.length) / long.length;
  return (long.startsWith(short) ? 1.5 : 2) + leftOver;
}

/** Scores a name that has the same words in another order, or at least half of them. */
function scoreWords(wantedWords: readonly string[], offered: string): number {
  let shared = 0;
  for (const word of wantedWords) if (hasWord(offered, word)) shared += 1;
  if (shared === 0) return Number.POSITIVE_INFINITY;
  const longest = Math.max(wantedWords.length, countWords(offered));
  if (longest < 2 || shared * 2 < longest) return Number.POSITIVE_INFINITY;
  return shared === longest ? 0.5 : 4 - shared / longest;
}

function hasWord(name: string, word: string): boolean {
  for (let at = name.indexOf(word); at !== -1; at = name.indexOf(word, at + 1)) {
    if (isBoundary(name, at - 1) && isBoundary(name, at + word.length)) return true;
  }
  return false;
}

function countWords(name: string): number {
  let words = 0;
  for (let index = 0; index < name.length; index++) {
    if (!isBoundary(name, index) && isBoundary(name, index - 1)) words += 1;
  }
  return words;
}

/** Whether a word can end or begin there: at an underscore, a hyphen, or outside the name. */
function isBoundary(name: string, index: number): boolean {
  if (index < 0 || index >= name.length) return true;
  const code = name.charCodeAt(index);
  return code === underscore || code === hyphen;
}

const underscore = 0x5f;
const hyphen = 0x2d;

/** Keeps the best few only: sorting thousands of names to get three would take longer than finding them. */
function keepBest(best: Scored[], scored: Scored, max: number): void {
  let index = best.length;
  while (index > 0 && isBetter(scored, best[index - 1]!)) index -= 1;
  if (index >= max) return;
  best.splice(index, 0, scored);
  if (best.length > max) best.pop();
}

function isBetter(left: Scored, right: Scored): boolean {
  return left.score < right.score || (left.score === right.score && left.candidate < right.candidate);
}
