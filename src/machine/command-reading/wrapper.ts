import type { Word } from "../shell-syntax/index.ts";
import { isOneArgument, knownText } from "./known-words.ts";
import { hasOption, parseArguments } from "./parse-arguments.ts";
import type { ParsedArguments, Program } from "./program.ts";

/** A program that runs the command given after its own options. */
export interface Wrapper {
  readonly program: Program;
  /** Number of operands before the command, such as the duration for `timeout`. */
  readonly operandsBefore?: number | undefined;
  /** `NAME=value` may come before the command. */
  readonly takesAssignments?: boolean | undefined;
  /** Options that take away all variables, or the one that they name. */
  readonly forgets?: { readonly all: readonly string[]; readonly one: readonly string[] } | undefined;
  /** With one of these options, the words that follow are not a command to run. */
  readonly exceptWith?: readonly string[] | undefined;
  /** `through`: the command is unaffected. `feeds`: adds arguments to it. Otherwise, why it needs approval. */
  readonly manner: "through" | "feeds" | { readonly asks: string };
}

export interface Unwrapped {
  readonly parsed: ParsedArguments;
  readonly assignments: readonly Word[];
  /** The command that it runs; empty if there is none. */
  readonly words: readonly Word[];
}

/** Removes a wrapper's own words; undefined if it does not run a command here. */
export function unwrap(wrapper: Wrapper, words: readonly Word[]): Unwrapped | undefined {
  const { operandsBefore = 0, takesAssignments = false, exceptWith = [] } = wrapper;
  const parsed = parseArguments(words, { ...wrapper.program, stopsAtOperand: true });
  if (hasOption(parsed, ...exceptWith)) return undefined;
  const severalBefore = parsed.operands.slice(0, operandsBefore).filter((word) => !isOneArgument(word));
  const problems = severalBefore.map(
    ({ source }) => `${source} may become several words, one of which is run`,
  );
  const rest = parsed.operands.slice(operandsBefore);
  const isAssignment = (word: Word) => /^[A-Za-z_]\w*=/.test(knownText(word) ?? word.source);
  const firstOther = takesAssignments ? rest.findIndex((word) => !isAssignment(word)) : 0;
  const count = firstOther === -1 ? rest.length : firstOther;
  return {
    parsed: { ...parsed, problems: [...parsed.problems, ...problems] },
    assignments: rest.slice(0, count),
    words: rest.slice(count),
  };
}

/** Whether a wrapper takes away variables that keep git from running what a repository names. */
export function forgetsSettings({ forgets }: Wrapper, { options }: ParsedArguments): boolean {
  return options.some(({ name, values: [value] }) => {
    if (forgets?.all.includes(name)) return true;
    return (
      forgets?.one.includes(name) && (value === undefined || (knownText(value) ?? "GIT_").startsWith("GIT_"))
    );
  });
}
