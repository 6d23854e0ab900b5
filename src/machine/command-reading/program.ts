import type { Word } from "../shell-syntax/index.ts";
import type { MachineFacts } from "./facts/machine-facts.ts";
import type { Listing, Report } from "./report.ts";

/** What most of a script's commands do, or one of them. */
export type Category = "search" | "read" | "list" | "write" | "silent" | "general";

/**
 * The definition of one program. Options that are not listed need approval. Options are written as typed, separated by
 * spaces, or by `|` if they are names of one option: `-r|--recursive`. `-a` takes no value, `-o=` takes one (`-oX`, `-o X`;
 * `--output=X`, `--output X`), `-i?` takes one only if attached (`-i.bak`, `--color=never`), `-L:` only as the next word,
 * and `--arg=2` takes two words.
 *
 * Abbreviated long options such as `--outp` count as not listed.
 */
export interface ProgramDefinition extends ArgumentForm {
  readonly names: readonly string[];
  readonly category: Category | "neutral";
  /** Options that only affect the output; their values are plain data. */
  readonly harmless?: string;
  /** Options whose last value is a path that is read. */
  readonly reads?: string;
  /** Options whose last value is a path that is written. */
  readonly writes?: string;
  /** Dangerous options, keyed by their effect; the key completes "<program> <option> …" in a reason. */
  readonly asks?: Readonly<Record<string, string>>;
  readonly operands: OperandRule;
  /** It is safe only with the variables that are set for commands that read. */
  readonly needsSettings?: boolean;
  /** Variables that may be set for it to any known text. */
  readonly variables?: readonly string[];
  /** It prints nothing of a file's content. */
  readonly showsNoContent?: boolean;
  /** Without a path it prints a selection of its input lines. */
  readonly selectsLines?: boolean;
  /**
   * With one of these options it goes through the links beneath its operands, unless one of the others is given. A
   * program that compares folders always does.
   */
  readonly follows?: {
    readonly with: "always" | readonly string[];
    readonly unless?: readonly string[];
    /** Further options with which it does so, if the program is busybox's. */
    readonly inBusybox?: readonly string[];
  };
  /** Options whose value would be a file to read in an implementation in which they take none. */
  readonly mayTakeNoValue?: readonly string[];
  /** Checks that the fields above cannot express. */
  readonly check?: ProgramCheck;
}

/** How a program tells its options from its operands. */
export interface ArgumentForm {
  /** Every word is an operand, even if it starts with a dash. */
  readonly hasNoOptions?: boolean;
  /** Nothing after the first operand is an option. */
  readonly stopsAtOperand?: boolean;
  /** Whether an option may follow an operand depends on the implementation, so one that does needs approval. */
  readonly mayStopAtOperand?: boolean;
  /** `--` does not end its options, and even `-` alone is one. */
  readonly hasNoEndMark?: boolean;
  /** The first word is letters of options even without a dash; their values are the words that follow: `tar tf x`. */
  readonly hasLettersFirst?: boolean;
  /** A word that starts with `@` names a file of further arguments, wherever it stands. */
  readonly hasArgumentFiles?: boolean;
  /** `-5` and the like are harmless. */
  readonly hasNumericOptions?: boolean;
  /** Letters cannot be bundled: `-ab` is not `-a -b`. */
  readonly hasNoBundles?: boolean;
  /** `+5` and the like are harmless. */
  readonly hasPlusOptions?: boolean;
  /**
   * None of its options, listed or not, in no implementation, opens a file that is not an operand or does more than
   * print, so file names that look like options are fine.
   */
  readonly hasOnlyHarmlessOptions?: boolean;
  /** None of its options does more than read, but some name files: a file name must not look like one of those. */
  readonly hasOnlyReadingOptions?: boolean;
}

/**
 * The meaning of a program's operands: none allowed, plain data, paths it reads, writes or removes, or left to `check`.
 * With `dataFirst`, that many are data (unless an option in `unless` is given) and the rest are paths it reads.
 */
export type OperandRule =
  | "none"
  | "data"
  | "reads"
  | "writes"
  | "removes"
  | "checked"
  | {
      readonly dataFirst?: number;
      readonly unless?: readonly string[];
      /** Without a path, it reads the current directory if one of these options is given. */
      readonly readsOrDirectory?: "always" | readonly string[];
    };

export interface Program extends ProgramDefinition {
  /** Looks up an option by its name, including dashes. */
  readonly option: (name: string) => Option | undefined;
}

export interface Option {
  readonly name: string;
  /** The first of its names. */
  readonly means: string;
  readonly values: "none" | "attached" | "separate" | number;
  readonly meaning: "harmless" | "reads" | "writes" | "asks";
  /** Why it needs approval. */
  readonly reason?: string | undefined;
}

export interface ParsedArguments {
  readonly options: readonly ParsedOption[];
  readonly operands: readonly Word[];
  /** File name patterns that would be options if a file has a name like one. */
  readonly unsettled: readonly Word[];
  /** Why the arguments are ambiguous. */
  readonly problems: readonly string[];
}

export interface ParsedOption {
  readonly name: string;
  readonly values: readonly Word[];
  /** Undefined if the option is not listed. */
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
  /** Absolute; undefined if unknown. */
  readonly directory: string | undefined;
  /** For git: the folder of the repository, if it is known. */
  readonly repository?: string | undefined;
  /** For git: the file that lists the tracked files, if it is known. */
  readonly index?: string | undefined;
  /** File names printed by the previous command of the pipeline, if it prints any. */
  readonly input: Listing | undefined;
  /** Judges a command line that this one runs, adding to a report. */
  readonly judgeWords: (words: readonly Word[], report: Report) => Promise<Program | undefined>;
}

/**
 * Gives a function that defines programs of one kind. Each program has these fields, unless its own definition gives
 * another value; harmless options of both count.
 */
export function programsLike(shared: Omit<ProgramDefinition, "names">) {
  return (names: string, own: Partial<ProgramDefinition> = {}): Program =>
    defineProgram({
      ...shared,
      ...own,
      names: names.split(" "),
      harmless: `${own.harmless ?? ""} ${shared.harmless ?? ""}`,
    });
}

/** Parses the option tables when an option is first looked up. */
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
    for (const names of notation?.split(" ").filter((item) => item !== "") ?? []) {
      const same = names.split("|").map((item) => readOption(item, meaning, reason));
      for (const option of same) options.set(option.name, { ...option, means: same[0]!.name });
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
  return { name, means: name, values, meaning, reason };
}

const kindsOfValue: ReadonlyMap<string, Option["values"]> = new Map([
  ["?", "attached"],
  [":", "separate"],
]);
