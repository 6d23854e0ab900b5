import type { Word } from "../../shell-syntax/shell-script.ts";
import { knownText } from "./known-words.ts";
import { parseArguments } from "./parse-arguments.ts";
import type { ParsedArguments, Program } from "./program.ts";

/** A program that runs another one, named after its own options. */
export interface Wrapper {
  readonly program: Program;
  /** How many operands come before the command, as the duration of `timeout`. */
  readonly operandsBefore?: number;
  /** `NAME=value` may stand before the command. */
  readonly takesAssignments?: boolean;
  /** Options after which what follows is no command to run. */
  readonly exceptWith?: readonly string[];
  /** `through`: it changes nothing about what the command does. `feeds`: it adds arguments. Else why it asks. */
  readonly manner: "through" | "feeds" | { readonly asks: string };
}

export interface Unwrapped {
  readonly parsed: ParsedArguments;
  readonly assignments: readonly Word[];
  /** The command that is run; empty where there is none. */
  readonly words: readonly Word[];
}

/** Takes a wrapper's own words off; undefined where it is not used as a wrapper. */
export function unwrap(wrapper: Wrapper, words: readonly Word[]): Unwrapped | undefined {
  const { operandsBefore = 0, takesAssignments = false, exceptWith = [] } = wrapper;
  const parsed = parseArguments(words, { ...wrapper.program, stopsAtOperand: true });
  if (parsed.options.some(({ name }) => exceptWith.includes(name))) return undefined;
  const rest = parsed.operands.slice(operandsBefore);
  const isAssignment = (word: Word) => /^[A-Za-z_]\w*=/.test(knownText(word) ?? word.source);
  const firstOther = takesAssignments ? rest.findIndex((word) => !isAssignment(word)) : 0;
  const count = firstOther === -1 ? rest.length : firstOther;
  return { parsed, assignments: rest.slice(0, count), words: rest.slice(count) };
}
