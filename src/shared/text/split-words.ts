/**
 * Splits a text into words in lower case, without accents. Chinese, Japanese and Korean text becomes pairs of
 * neighbouring characters, because nothing marks its words.
 */
export function splitWords(text: string) {
  const words: string[] = [];
  /** Parts of compound words: `web` and `fetch` for `WebFetch`. */
  const parts: string[] = [];
  /** Single characters of longer runs in scripts without spaces between words. */
  const characters: string[] = [];
  const isPlain = !beyondAscii.test(text);
  for (const run of (isPlain ? text.match(plainRuns) : fold(text).match(runs)) ?? []) {
    if (!isPlain && unspaced.test(run)) {
      splitPairs([...run], words, characters);
      continue;
    }
    const word = run.slice(0, maxWordLength);
    const lowerCase = word.toLowerCase();
    words.push(lowerCase);
    const pieces = word === lowerCase ? [] : word.split(betweenPieces);
    if (pieces.length > 1) for (const piece of pieces) parts.push(piece.toLowerCase());
  }
  return { words, parts, characters };
}

/** Longer ones are data, not words. */
const maxWordLength = 64;

const beyondAscii = /[^\0-\x7f]/;
const plainRuns = /[A-Za-z0-9]+/g;
const unspaced = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]/u;
const runs =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]+|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー])[\p{L}\p{N}])+/gu;
const betweenPieces = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
}

function splitPairs(run: readonly string[], words: string[], characters: string[]): void {
  if (run.length === 1) words.push(run[0]!);
  else characters.push(...run.slice(0, maxWordLength));
  for (let index = 1; index < Math.min(run.length, maxWordLength); index++) {
    words.push(run[index - 1]! + run[index]!);
  }
}

/** An English word without its ending, so that `files`, `creating` and `creation` match `file` and `create`. */
export function stemWord(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const stem = dropVerbEnding(dropPlural(word));
  if (stem.length > 3 && stem.endsWith("e")) return stem.slice(0, -1);
  return stem.replace(/(?<=[^aeiou]{2}|[aeiou][^aeiou])y$/, "i");
}

function dropPlural(word: string): string {
  if (/(?:ss|us|is)$/.test(word) || !word.endsWith("s")) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function dropVerbEnding(word: string): string {
  const ending = ["ing", "ed", "ion"].find((each) => word.endsWith(each));
  const stem = word.slice(0, -(ending?.length ?? word.length));
  if (stem.length < 3 || !/[aeiouy]/.test(stem)) return word;
  if (ending === "ion") return /[st]$/.test(stem) ? stem : word;
  return /([bdgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem;
}
