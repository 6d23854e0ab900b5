import { anyNumber } from "../../../shared/glob/match-steps.ts";
import { createStarMatcher } from "../../../shared/glob/name-pieces.ts";
import { RuleError } from "./rule.ts";

/** The words of a rule such as `npm run test *`. */
export interface CommandPattern {
  /** `anyNumber` stands for any further words, or none. */
  readonly steps: readonly (WordPattern | typeof anyNumber)[];
  /** The words before the first star. */
  readonly fixed: readonly string[];
  /** The words that are known whole. */
  readonly literals: readonly string[];
  /** It ends with a star, and this is its only one. */
  readonly isPrefix: boolean;
  readonly hasStars: boolean;
  /** The pattern as one text, in which a star stands for any characters. */
  readonly text: string;
}

interface WordPattern {
  readonly text: string;
  matches(word: string): boolean;
}

/** Reads a command's pattern; throws if it is not one command, because then it could match none. */
export function readCommandPattern(pattern: string, where: string): CommandPattern {
  // Other systems write `npm run *` as `npm run:*`.
  const text = pattern.trim().replace(/:\*$/, " *");
  const words = splitWords(text, { pattern, where });
  const steps = words.flatMap(toSteps);
  const firstStar = words.findIndex(({ hasStar }) => hasStar);
  const fixed = firstStar === -1 ? words : words.slice(0, firstStar);
  return {
    steps,
    fixed: fixed.map((word) => word.text),
    literals: words.filter(({ hasStar }) => !hasStar).map((word) => word.text),
    isPrefix: firstStar === words.length - 1 && words.at(-1)?.text === "*",
    hasStars: firstStar !== -1,
    text,
  };
}

interface ReadWord {
  readonly text: string;
  /** It has a `*` that is neither quoted nor escaped. */
  readonly hasStar: boolean;
  readonly test?: (word: string) => boolean;
}

function toSteps(
  { text, hasStar, test }: ReadWord,
  index: number,
  words: readonly ReadWord[],
): CommandPattern["steps"] {
  if (hasStar && text === "*") return [anyNumber];
  const step: WordPattern = { text, matches: test ?? ((word) => word === text) };
  // `ls*` is about further words too.
  const isOpenEnd = hasStar && text.endsWith("*") && index === words.length - 1;
  return isOpenEnd ? [step, anyNumber] : [step];
}

/** Words in the sense of a shell, with quotes and backslashes removed. */
function splitWords(text: string, { pattern, where }: { pattern: string; where: string }): ReadWord[] {
  const refuse = (problem: string) => new RuleError(`${where}: ${JSON.stringify(pattern)} ${problem}`);
  const parts = [...text.matchAll(/\\(.)|"([^"]*)"|'([^']*)'|(\s+)|([^\s"'\\]+|["'\\])/gs)];
  const words: ReadWord[] = [];
  let word: { text: string; starred: string; isBegun: boolean } = emptyWord();
  const end = () => {
    if (word.isBegun) words.push(toWord(word));
    word = emptyWord();
  };
  for (const [, escaped, double, single, space, plain] of parts) {
    const quoted = escaped ?? double ?? single;
    if (space !== undefined) end();
    else if (quoted !== undefined) word = append(word, quoted, quoted.replaceAll("*", quotedStar));
    else if (plain !== undefined) {
      if (/^["'\\]$/.test(plain)) throw refuse("is not a command: it has an unclosed quote");
      const operator = /&&|\|\||[;|&<>\n]/.exec(plain)?.[0];
      if (operator !== undefined) throw refuse(`can match nothing: ${aboutOperators(operator)}`);
      word = append(word, plain, plain);
    }
  }
  end();
  if (words.length === 0) throw refuse("is not a command: it is empty");
  const [first] = words;
  if (first !== undefined && /^[A-Za-z_]\w*=/.test(first.text)) {
    throw refuse("can match nothing: variables are not part of what a rule matches; begin with the program");
  }
  return words;
}

function aboutOperators(operator: string): string {
  return `a rule is matched against each command of a line on its own; write one rule for each, without ${operator}, or quote it`;
}

function emptyWord() {
  return { text: "", starred: "", isBegun: false };
}

function append(word: { text: string; starred: string }, text: string, starred: string) {
  return { text: word.text + text, starred: word.starred + starred, isBegun: true };
}

// Stands for a star that was quoted; no command can contain it.
const quotedStar = "\0";

function toWord({ text, starred }: { text: string; starred: string }): ReadWord {
  if (!starred.includes("*")) return { text, hasStar: false };
  const isAlike = createStarMatcher(starred);
  return { text, hasStar: true, test: (word) => isAlike(word.replaceAll("*", quotedStar)) || isAlike(word) };
}
