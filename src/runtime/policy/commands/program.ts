import type { Word } from "../../shell-syntax/shell-script.ts";
import type { Category, MachineFacts } from "./command-finding.ts";
import type { Listing, Report } from "./report.ts";

/**
 * What is known of one program. An option that is not named here asks. Options are written as they are typed, with a
 * space between them: `-a` takes nothing, `-o=` takes a value (`-oX`, `-o X`; `--output=X`, `--output X`), `-i?` takes
 * one only if it is attached (`-i.bak`, `--color=never`), `-L:` only if it is the next word, `--arg=2` takes two words.
 *
 * Abbreviated long options are not looked up: `--outp` is not named here, so it asks.
 */
export interface ProgramDefinition {
  readonly names: readonly string[];
  readonly category: Category | "neutral";
  /** Options that change nothing but what is printed; their values are plain data. */
  readonly harmless?: string;
  /** Options whose last value is the path of something it reads. */
  readonly reads?: string;
  /** Options whose last value is the path of something it writes. */
  readonly writes?: string;
  /** Options that are known to be dangerous, by what they do. */
  readonly asks?: Readonly<Record<string, string>>;
  readonly operands: OperandRule;
  /** Every word is an operand, whatever it begins with. */
  readonly hasNoOptions?: boolean;
  /** Nothing after the first operand is an option. */
  readonly stopsAtOperand?: boolean;
  /** `-5` and the like are harmless. */
  readonly hasNumericOptions?: boolean;
  /** Letters are not bundled: what follows one that takes no value is passed over, or makes it another option. */
  readonly hasNoBundles?: boolean;
  /** `+5` and the like are harmless. */
  readonly hasPlusOptions?: boolean;
  /** No option it has, named here or not, can do more than read: names of files that look like options may be passed. */
  readonly hasOnlyHarmlessOptions?: boolean;
  /** Variables that may be set for it, to any known text. */
  readonly variables?: readonly string[];
  /** What it prints of a file is not the file's content. */
  readonly showsNoContent?: boolean;
  /** Without a path to read it prints some of the lines it is given. */
  readonly selectsLines?: boolean;
  /** Anything beyond what the fields above can say. */
  readonly check?: ProgramCheck;
}

/**
 * What words that are no options mean: nothing is allowed; plain data; paths read; the first is data (unless one of
 * `unless` was given) and the rest are paths read; paths written; or `check` looks at them.
 */
export type OperandRule =
  | "none"
  | "data"
  | "reads"
  | "writes"
  | "removes"
  | "checked"
  | { readonly dataFirst: number; readonly unless?: readonly string[] }
  /** Paths read, and the current directory where there are none and one of the options was given. */
  | {
      readonly readsOrDirectory: "always" | readonly string[];
      readonly dataFirst?: number;
      readonly unless?: readonly string[];
    };

export interface Program extends ProgramDefinition {
  /** By the name as it is typed, dashes included. */
  readonly option: (name: string) => Option | undefined;
}

export interface Option {
  readonly name: string;
  readonly values: "none" | "attached" | "separate" | number;
  readonly meaning: "harmless" | "reads" | "writes" | "asks";
  /** Why it asks. */
  readonly reason?: string;
}

export interface ParsedArguments {
  readonly options: readonly ParsedOption[];
  readonly operands: readonly Word[];
  /** Why the arguments cannot be told apart. */
  readonly problems: readonly string[];
}

export interface ParsedOption {
  readonly name: string;
  readonly values: readonly Word[];
  /** Undefined where it is not known. */
  readonly option: Option | undefined;
}

export type ProgramCheck = (
  parsed: ParsedArguments,
  report: Report,
  context: CheckContext,
) => void | Promise<void>;

export interface CheckContext {
  readonly name: string;
  readonly text: string;
  readonly world: MachineFacts;
  /** Absolute; undefined where it is not known. */
  readonly directory: string | undefined;
  /** What the command before it in the pipeline prints, if that is names of files. */
  readonly input: Listing | undefined;
  /** Judges another command line that this one runs, into the same report. */
  readonly judgeWords: (words: readonly Word[], report: Report) => Promise<Program | undefined>;
}

/** Reads the tables of options only when the program is first asked about. */
export function defineProgram(definition: ProgramDefinition): Program {
  let options: ReadonlyMap<string, Option> | undefined;
  return {
    ...definition,
    option(name) {
      options ??= readOptions(definition);
      return options.get(name);
    },
  };
}

function readOptions({ harmless, reads, writes, asks = {} }: ProgramDefinition): Map<string, Option> {
  const options = new Map<string, Option>();
  const add = (notation: string | undefined, meaning: Option["meaning"], reason?: string) => {
    for (const item of notation?.split(" ") ?? []) {
      const option = readOption(item, meaning, reason);
      if (item !== "") options.set(option.name, option);
    }
  };
  add(harmless, "harmless");
  add(reads, "reads");
  add(writes, "writes");
  for (const [reason, notation] of Object.entries(asks)) add(notation, "asks", reason);
  return options;
}

function readOption(item: string, meaning: Option["meaning"], reason?: string): Option {
  const [, name = item, suffix = ""] = /^(.+?)(=\d?|[?:])?$/s.exec(item) ?? [];
  const values = suffix.startsWith("=") ? Number(suffix.slice(1) || 1) : (kindsOfValue.get(suffix) ?? "none");
  return { name, values, meaning, ...(reason !== undefined && { reason }) };
}

const kindsOfValue: ReadonlyMap<string, Option["values"]> = new Map([
  ["?", "attached"],
  [":", "separate"],
]);
