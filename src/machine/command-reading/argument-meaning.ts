import { gitCommands } from "./git/git-commands.ts";
import { knownText, literalWord } from "./known-words.ts";
import { parseArguments } from "./parse-arguments.ts";
import type { Program } from "./program.ts";
import { findProgram } from "./tables/index.ts";

/** A command's words as its program understands them. */
export interface ArgumentMeaning {
  /** The program, and its subcommand if that has its own options. */
  readonly names: readonly string[];
  /** In the order of the command; an option's other names are replaced by one of them. */
  readonly options: readonly {
    readonly name: string;
    /** Whether it is known which option this is; abbreviations are not. */
    readonly isKnown: boolean;
    readonly values: readonly string[];
  }[];
  readonly operands: readonly string[];
}

/** Reads a command's words as its program does; undefined if its options are not known. */
export function readMeaning([name = "", ...rest]: readonly string[]): ArgumentMeaning | undefined {
  const sub = name === "git" ? gitCommands.get(rest[0] ?? "") : undefined;
  if (sub !== undefined) return meaningFor(sub, rest.slice(1), [name, rest[0]!]);
  const program = findProgram(name);
  return program === undefined || program.hasNoOptions ? undefined : meaningFor(program, rest, [name]);
}

function meaningFor(program: Program, rest: readonly string[], names: readonly string[]): ArgumentMeaning {
  const { options, operands } = parseArguments(rest.map(literalWord), program);
  return {
    names,
    options: options.map(({ name, option, values }) => ({
      name: option?.means ?? name,
      isKnown: option !== undefined,
      values: values.map((value) => knownText(value) ?? ""),
    })),
    operands: operands.map((word) => knownText(word) ?? ""),
  };
}
