import { type QueryWord, queryWords } from "../../shared/text/query-words.ts";
import { splitWords, stemWord } from "../../shared/text/split-words.ts";

/** Texts under keys, found by their words. Adding or removing one changes only its own entries. */
export type TextIndex = ReturnType<typeof createTextIndex>;

interface Document {
  readonly number: number;
  readonly stems: readonly string[];
  readonly nameWords: ReadonlySet<string>;
  readonly wholeNames: ReadonlySet<string>;
}

/** BM25 over descriptions, plus fixed weights for words in names and hints; also finds parts of names. */
export function createTextIndex() {
  const terms = new Map<string, Postings>();
  const documents = new Map<string, Document>();
  const keys: (string | undefined)[] = [];
  const freeNumbers: number[] = [];
  const nameWords = createWordList();
  const wholeNames = createWordList();
  const scores = createScores();

  const remove = (key: string) => {
    const document = documents.get(key);
    if (document === undefined) return;
    documents.delete(key);
    for (const stem of document.stems) dropFrom(terms, stem, document.number);
    for (const word of document.nameWords) nameWords.remove(word);
    for (const name of document.wholeNames) wholeNames.remove(name);
    keys[document.number] = undefined;
    freeNumbers.push(document.number);
  };

  /** Scores documents for one word of the query: the word itself, a longer word that contains it, or a synonym. */
  const match = ({ word, stem, related }: QueryWord): number => {
    const exact = terms.get(stem);
    if (exact !== undefined) scores.note(exact, 1);
    const found = scores.noted;
    for (const other of related) {
      const term = terms.get(other);
      if (term !== undefined) scores.note(term, relatedWeight);
    }
    // A part that spans two words of a name counts only if no single word contains it.
    const longerWords = nameWords.containing(word);
    for (const longer of longerWords.length > 0 ? longerWords : wholeNames.containing(word)) {
      const term = terms.get(stemWord(longer));
      if (term !== undefined && term !== exact) {
        scores.note(term, longer.startsWith(word) ? beginningWeight : insideWeight);
      }
    }
    // Mere resemblances must not make the word seem common.
    return found > 0 ? found : scores.noted;
  };

  /** A word that nearly all documents have distinguishes nothing, and takes longest to look up. */
  const withoutCommon = (words: readonly QueryWord[]) => {
    const limit = Math.max(minCommon, documents.size / 2);
    const telling = words.filter(({ stem }) => (terms.get(stem)?.documents.length ?? 0) <= limit);
    return telling.length > 0 ? telling : words.slice(0, maxCommonWords);
  };

  return {
    get size() {
      return documents.size;
    },
    /** Adds a text, or replaces the one with this key. */
    set(key: string, text: IndexedText) {
      remove(key);
      const { weights, ...names } = describeWords(text);
      const number = freeNumbers.pop() ?? keys.length;
      keys[number] = key;
      documents.set(key, { ...names, number, stems: [...weights.keys()] });
      for (const [stem, weight] of weights) addTo(terms, stem, { number, weight });
      for (const word of names.nameWords) nameWords.add(word);
      for (const name of names.wholeNames) wholeNames.add(name);
    },
    remove,
    /** Best first; equal scores are ordered by key. */
    search(query: string, limit: number) {
      scores.begin(keys.length);
      for (const queryWord of withoutCommon(queryWords(query))) {
        const matching = match(queryWord);
        const { weight } = queryWord;
        scores.count(weight * rarity(matching, documents.size), weight);
      }
      return scores.best(limit, (number) => keys[number]!);
    },
  };
}

const minCommon = 100;
const maxCommonWords = 2;
const relatedWeight = 0.4;
const beginningWeight = 0.5;
const insideWeight = 0.3;

/** The fewer documents have a word, the more it counts. */
function rarity(matching: number, all: number): number {
  return Math.log(1 + (all - matching + 0.5) / (matching + 0.5));
}

function addTo(
  terms: Map<string, Postings>,
  stem: string,
  { number, weight }: { number: number; weight: number },
): void {
  const term = terms.get(stem) ?? { documents: [], weights: [] };
  term.documents.push(number);
  term.weights.push(weight);
  terms.set(stem, term);
}

function dropFrom(terms: Map<string, Postings>, stem: string, number: number): void {
  const { documents, weights } = terms.get(stem)!;
  const at = documents.indexOf(number);
  swapOut(documents, at);
  swapOut(weights, at);
  if (documents.length === 0) terms.delete(stem);
}

/** Removes an item from a list whose order does not matter, without shifting the others. */
function swapOut(items: number[], at: number): void {
  const last = items.pop()!;
  if (at < items.length) items[at] = last;
}

/** Words that can be found by a part of them. */
export function createWordList() {
  const uses = new Map<string, number>();
  // One long text is the fastest way to search thousands of words. Rebuilt when it is needed.
  let text: string | undefined;

  return {
    /** Counts additions: a word is found until it has been removed as often as it was added. */
    add(word: string) {
      const count = uses.get(word) ?? 0;
      uses.set(word, count + 1);
      if (count === 0) text = undefined;
    },
    remove(word: string) {
      const count = uses.get(word) ?? 0;
      if (count > 1) uses.set(word, count - 1);
      else if (uses.delete(word)) text = undefined;
    },
    /** Finds nothing for fewer than three characters, which are in too many words. The number of results is limited. */
    containing(part: string) {
      if (part.length < minPartLength) return [];
      text ??= `\n${[...uses.keys()].join("\n")}\n`;
      const found: string[] = [];
      for (let at = text.indexOf(part); at !== -1 && found.length < maxFound; ) {
        const end = text.indexOf("\n", at);
        found.push(text.slice(text.lastIndexOf("\n", at) + 1, end));
        at = text.indexOf(part, end);
      }
      return found;
    },
  };
}

const minPartLength = 3;
const maxFound = 2000;

/** The texts of a tool that a search looks at. */
interface IndexedText {
  /** All of its names. */
  readonly names: readonly string[];
  readonly hint: string;
  readonly description: string;
}

const nameWeight = 3;
const hintWeight = 1.5;

/** Weighs each word once: most in a name, less in a hint, and by BM25 in a description. */
function describeWords({ names, hint, description }: IndexedText) {
  /** By stem. */
  const weights = new Map<string, number>();
  /** Words of its names; a query may match a part of one. */
  const nameWords = new Set<string>();
  /** Its names without the separators between words. */
  const wholeNames = new Set<string>();
  for (const name of new Set(names)) {
    const { words, parts, characters } = splitWords(name.slice(0, maxCharacters));
    const pieces = words.length === 1 && parts.length > 0 ? parts : [...words, ...parts];
    // A single word weighs less in a long name; the whole name has full weight.
    const weight = nameWeight / (1 + lengthPenalty * (pieces.length - 1));
    for (const piece of pieces) {
      raise(weights, piece, weight);
      nameWords.add(piece);
    }
    for (const character of characters) raise(weights, character, weight / 2);
    const whole = words.join("");
    raise(weights, whole, nameWeight);
    wholeNames.add(whole);
  }
  for (const stem of countStems(hint).keys()) add(weights, stem, hintWeight);
  const counts = countStems(description);
  let length = 0;
  for (const count of counts.values()) length += count;
  for (const [stem, count] of counts) add(weights, stem, bm25(count, length));
  return { weights, nameWords, wholeNames };
}

/** The end of a long description says little, and a third party may have padded it on purpose. */
const maxCharacters = 2000;
const lengthPenalty = 0.12;

function raise(weights: Map<string, number>, word: string, weight: number): void {
  const stem = stemWord(word);
  weights.set(stem, Math.max(weights.get(stem) ?? 0, weight));
}

function add(weights: Map<string, number>, stem: string, weight: number): void {
  weights.set(stem, (weights.get(stem) ?? 0) + weight);
}

function countStems(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const { words, parts, characters } = splitWords(text.slice(0, maxCharacters));
  for (const list of [words, parts]) for (const word of list) add(counts, stemWord(word), 1);
  for (const character of characters) add(counts, character, 0.5);
  return counts;
}

const saturation = 1.2;
const lengthShare = 0.5;
/** A fixed length for BM25: with the true average, every new text would change the weights of all others. */
const typicalLength = 30;

function bm25(count: number, length: number): number {
  const norm = 1 - lengthShare + (lengthShare * length) / typicalLength;
  return (count * (saturation + 1)) / (count + saturation * norm);
}

/** The numbers of the documents that have a word, with the word's weight in each. */
interface Postings {
  readonly documents: number[];
  readonly weights: number[];
}

/** The scores of documents in a search. Reuses its arrays from one search to the next, so that a search allocates little. */
function createScores() {
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
interface Scored {
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
