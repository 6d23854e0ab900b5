import { queryWords } from "../../../shared/text/query-words.ts";
import { splitWords, stemWord } from "../../../shared/text/split-words.ts";

/** The indexes of the blocks that have words of the question, best first, by BM25. */
export function rankBlocks(blocks: readonly string[], question: string): number[] {
  const wanted = queryWords(question);
  const documents = blocks.map(countWords);
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / (documents.length || 1);
  const scores = documents.map(() => 0);
  for (const { stem, weight } of wanted) {
    const holders = documents.filter(({ counts }) => counts.has(stem)).length;
    const rarity = Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
    documents.forEach(({ counts, length }, index) => {
      const count = counts.get(stem) ?? 0;
      const damping = saturation * (1 - lengthShare + (lengthShare * length) / averageLength);
      scores[index]! += (weight * rarity * count * (saturation + 1)) / (count + damping || 1);
    });
  }
  const found = [...scores.keys()].filter((index) => scores[index]! > 0);
  return found.sort((left, right) => scores[right]! - scores[left]! || left - right);
}

// The usual constants of BM25: how soon more of the same word stops counting, and how much long blocks are discounted.
const saturation = 1.2;
const lengthShare = 0.75;

function countWords(block: string): { counts: ReadonlyMap<string, number>; length: number } {
  const { words, parts } = splitWords(block);
  const counts = new Map<string, number>();
  for (const word of [...words, ...parts]) {
    const stem = stemWord(word);
    counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return { counts, length: words.length };
}
