import { splitWords, stemWord } from "../../shared/text/split-words.ts";

/** The texts of a tool that a search looks at. */
export interface IndexedText {
  /** All of its names. */
  readonly names: readonly string[];
  readonly hint: string;
  readonly description: string;
}

export interface DescribedWords {
  /** Weight of each stem. */
  readonly weights: ReadonlyMap<string, number>;
  /** Words of its names; a query may match a part of one. */
  readonly nameWords: readonly string[];
  /** Its names without the separators between words. */
  readonly wholeNames: readonly string[];
}

const nameWeight = 3;
const hintWeight = 1.5;

/** Weighs each word once: most in a name, less in a hint, and by BM25 in a description. */
export function describeWords({ names, hint, description }: IndexedText): DescribedWords {
  const weights = new Map<string, number>();
  const nameWords = new Set<string>();
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
  return { weights, nameWords: [...nameWords], wholeNames: [...wholeNames] };
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
