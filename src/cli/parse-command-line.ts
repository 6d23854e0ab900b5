import { nearestNames } from "../shared/text/nearest-names.ts";
import { type FlagName, type FlagValues, flags } from "./flags.ts";
import { UsageError } from "./usage-error.ts";

export interface CommandLine {
  readonly verb: string | undefined;
  readonly arguments: readonly string[];
  readonly flags: FlagValues;
}

/** Tells flags from positionals, wherever either stands; the first positional is the verb. */
export function parseCommandLine(words: readonly string[]): CommandLine {
  // An import of this module makes Node load all that it can do, which takes longer than the rest of this file.
  const { parseArgs } = process.getBuiltinModule("node:util");
  // Not strict, because what `parseArgs` says of a mistake suggests nothing; each is refused below instead.
  const { values, positionals, tokens } = parseArgs({
    args: [...words],
    options: flags,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) if (token.kind === "option") checkFlag(token);
  const [verb, ...rest] = positionals;
  return { verb, arguments: rest, flags: values as FlagValues };
}

interface FlagToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function checkFlag({ name, rawName, value, inlineValue }: FlagToken): void {
  if (!isFlagName(name)) throw unknownFlag(name, { known: Object.keys(flags), said: rawName });
  if (flags[name].type === "boolean") {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return;
  }
  // A flag in the place of a value is a forgotten value, not a value; `--name=-x` says that it is meant.
  const isForgotten = value === undefined || (!inlineValue && value.length > 1 && value.startsWith("-"));
  if (isForgotten || value === "") throw new UsageError(`${rawName} needs a value`);
}

function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(flags, name);
}

export function unknownFlag(
  name: string,
  { known, said }: { known: readonly string[]; said: string },
): UsageError {
  const nearest = nearestNames(name, known).map((each) => `--${each}`);
  return new UsageError(`there is no flag ${said}${suggest(nearest, "see --help")}`);
}

/** The end of a sentence about something unknown: what may have been meant, or where to look. */
export function suggest(nearest: readonly string[], otherwise: string): string {
  return nearest.length > 0 ? `; did you mean ${nearest.join(" or ")}?` : `; ${otherwise}`;
}
