/** The documents that have a word, by number, and beside each how much the word says about it. */
export interface Postings {
  readonly documents: number[];
  readonly weights: number[];
}

export interface Scores {
  /** Starts anew, for documents with numbers below this. */
  begin(count: number): void;
  /** Notes how well documents have the word at hand; of several notes on one document the best stays. */
  note(postings: Postings, factor: number): void;
  /** How many documents have the word at hand. */
  readonly noted: number;
  /** Adds what was noted to the scores, as much as it is worth, and goes on to the next word of this weight. */
  count(worth: number, weight: number): void;
  /** What has few of the words comes after what has many, however rare those few are. */
  best(limit: number, keyOf: (number: number) => string): { key: string; score: number }[];
}

/** Sums in arrays that are kept from one search to the next: a search allocates next to nothing. */
export function createScores(): Scores {
  let totals = new Float64Array(0);
  let current = new Float64Array(0);
  let covered = new Float64Array(0);
  let allWeights = 0;
  let scored: number[] = [];
  let noted: number[] = [];

  return {
    get noted() {
      return noted.length;
    },
    begin(count) {
      if (totals.length < count) {
        totals = new Float64Array(count * 2);
        current = new Float64Array(count * 2);
        covered = new Float64Array(count * 2);
      } else {
        for (const number of scored) {
          totals[number] = 0;
          covered[number] = 0;
        }
      }
      scored = [];
      allWeights = 0;
    },
    note({ documents, weights }, factor) {
      for (let index = 0; index < documents.length; index++) {
        const number = documents[index]!;
        const weight = weights[index]! * factor;
        const known = current[number]!;
        if (known === 0) noted.push(number);
        if (weight > known) current[number] = weight;
      }
    },
    count(worth, weight) {
      for (const number of noted) {
        if (covered[number] === 0) scored.push(number);
        totals[number]! += current[number]! * worth;
        covered[number]! += weight;
        current[number] = 0;
      }
      noted = [];
      allWeights += weight;
    },
    best(limit, keyOf) {
      const best: { key: string; score: number }[] = [];
      for (const number of scored) {
        const score = totals[number]! * Math.sqrt(covered[number]! / allWeights);
        if (best.length === limit && score < best.at(-1)!.score) continue;
        insert(best, { key: keyOf(number), score }, limit);
      }
      return best;
    },
  };
}

interface Scored {
  readonly key: string;
  readonly score: number;
}

/** Sorting thousands for the sake of the first ten would take longer than finding them. */
function insert(best: Scored[], candidate: Scored, limit: number): void {
  let index = best.length;
  while (index > 0 && isBetter(candidate, best[index - 1]!)) index -= 1;
  if (index >= limit) return;
  best.splice(index, 0, candidate);
  if (best.length > limit) best.pop();
}

function isBetter(left: Scored, right: Scored): boolean {
  return left.score > right.score || (left.score === right.score && left.key < right.key);
}
