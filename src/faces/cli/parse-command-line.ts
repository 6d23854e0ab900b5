import { orMeant } from "../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import { type Flag, type FlagName, type FlagValues, flags } from "./flags.ts";
import { UsageError } from "./usage-error.ts";

export interface CommandLine {
  readonly verb: string | undefined;
  readonly arguments: readonly string[];
  readonly flags: FlagValues;
}

/** Splits the words into flags and arguments, in any order; the first argument is the verb. */
export function parseCommandLine(words: readonly string[]): CommandLine {
  // Importing `node:util` makes Node load all of it, which takes longer than the rest of this file.
  const { parseArgs } = process.getBuiltinModule("node:util");
  // Not strict, because the errors of `parseArgs` suggest no fix; `checkFlag` reports them instead.
  const { values, positionals, tokens } = parseArgs({
    args: words.map(withEmptyValue),
    options: flags,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) if (token.kind === "option") checkFlag(token);
  const [verb, ...rest] = positionals;
  return { verb, arguments: rest, flags: values as FlagValues };
}

/** `--resume` alone, or before another flag, is `--resume=`. */
function withEmptyValue(word: string, index: number, words: readonly string[]): string {
  const name = word.slice(2);
  const next = words[index + 1];
  const isAlone = next === undefined || (next.length > 1 && next.startsWith("-"));
  if (!word.startsWith("--") || !isAlone) return word;
  return isFlagName(name) && isOptional(name) ? `${word}=` : word;
}

function isOptional(name: FlagName): boolean {
  const flag: Flag = flags[name];
  return flag.isOptional === true;
}

interface FlagToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function checkFlag({ name, rawName, value, inlineValue }: FlagToken): void {
  if (!isFlagName(name)) throw unknownFlag(name, { known: Object.keys(flags), shown: rawName });
  if (flags[name].type === "boolean") {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return;
  }
  // `--name --other` is a forgotten value; to pass a value that starts with a dash, write `--name=-x`.
  const isForgotten = value === undefined || (!inlineValue && value.length > 1 && value.startsWith("-"));
  if (isForgotten || (value === "" && !isOptional(name))) throw new UsageError(`${rawName} needs a value`);
}

function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(flags, name);
}

export function unknownFlag(
  name: string,
  { known, shown }: { known: readonly string[]; shown: string },
): UsageError {
  const nearest = nearestNames(name, known).map((each) => `--${each}`);
  return new UsageError(`unknown flag ${shown}${orMeant(nearest, "see --help")}`);
}
