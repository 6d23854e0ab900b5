import type { Word } from "../../shell-syntax/index.ts";
import { isOneArgument, knownText } from "../known-words.ts";
import type { ProgramCheck } from "../program.ts";

/** Checks `test`, `[` and `[[`. The script reader has already reported what `[[` evaluates. */
export const checkTest: ProgramCheck = ({ operands: words }, report, { name }) => {
  for (const [index, word] of words.entries()) {
    const text = knownText(word);
    if (text === undefined) {
      // Unquoted, it may become an operator and its operand.
      if (name !== "[[" && !(isOneArgument(word) && isOperand(words, index))) {
        report.ask(`${name}: ${word.source} may become an operator`);
      }
      continue;
    }
    if (text === "-v" || text === "-R") report.ask(`${name} ${text} may run code hidden in a variable name`);
    const next = words[index + 1];
    if (fileTests.has(text) && next !== undefined && !isClosing(knownText(next))) report.read(next);
    const previous = words[index - 1];
    if (fileComparisons.has(text) && previous !== undefined && next !== undefined) {
      report.read(previous);
      report.read(next);
    }
  }
};

const fileTests: ReadonlySet<string> = new Set([..."bcdefgGhkLNOprsSuwx"].map((letter) => `-${letter}`));
const fileComparisons: ReadonlySet<string> = new Set(["-nt", "-ot", "-ef"]);

/** Whether the word is in a position where it cannot act as `-v`, which evaluates the next word. */
function isOperand(words: readonly Word[], index: number): boolean {
  const [word, next] = [words[index], words[index + 1]];
  if (next === undefined || (word?.kind === "dynamic" && word.isInteger)) return true;
  const text = knownText(next);
  return text !== undefined && (isClosing(text) || isComparison.test(text));
}

const isComparison = /^(?:[<>]|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

/** If one of these follows, `-f` is a string to compare, not a file test. */
function isClosing(text: string | undefined): boolean {
  return text !== undefined && ["]", "]]", "=", "==", "!=", "-a", "&&", "||", "-o", ")"].includes(text);
}
