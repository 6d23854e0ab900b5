/** The numbers of the documents that have a word, with the word's weight in each. */
export interface Postings {
  readonly documents: number[];
  readonly weights: number[];
}

/** The scores of documents in a search. Reuses its arrays from one search to the next, so that a search allocates little. */
export function createScores() {
  let totals = new Float64Array(0);
  let current = new Float64Array(0);
  let covered = new Float64Array(0);
  let allWeights = 0;
  let scored: number[] = [];
  let noted: number[] = [];

  return {
    /** Number of documents that match the current word. */
    get noted() {
      return noted.length;
    },
    /** Resets the scores, for documents with numbers below `count`. */
    begin(count: number) {
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
    /** Records how well documents match the current word; the best match of each document counts. */
    note({ documents, weights }: Postings, factor: number) {
      for (let index = 0; index < documents.length; index++) {
        const number = documents[index]!;
        const weight = weights[index]! * factor;
        const known = current[number]!;
        if (known === 0) noted.push(number);
        if (weight > known) current[number] = weight;
      }
    },
    /** Adds the matches of the current word, times `worth`, to the scores; `weight` is the word's share of the query. */
    count(worth: number, weight: number) {
      for (const number of noted) {
        if (covered[number] === 0) scored.push(number);
        totals[number]! += current[number]! * worth;
        covered[number]! += weight;
        current[number] = 0;
      }
      noted = [];
      allWeights += weight;
    },
    /** Documents that match few of the words come after those that match many, however rare the few are. */
    best(limit: number, keyOf: (number: number) => string) {
      const best: Scored[] = [];
      for (const number of scored) {
        const score = totals[number]! * Math.sqrt(covered[number]! / allWeights);
        if (best.length === limit && score < best.at(-1)!.score) continue;
        insert(best, { key: keyOf(number), score }, limit);
      }
      return best;
    },
  };
}

/** A document that was found. */
export interface Scored {
  readonly key: string;
  readonly score: number;
}

/** Keeps the best few only: sorting thousands to get ten would take longer than finding them. */
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
