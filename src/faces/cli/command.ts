import type { ExitCode } from "./exit-code.ts";
import type { FlagName, FlagValues } from "./flags.ts";
import type { CommandOutput } from "./terminal/command-output.ts";

/** One command of `toolwright`, such as `call`: its arguments and flags, and the code that runs it. */
export interface Command {
  /** The arguments after the verb, as in `<tool> ['<json>']`; without it, there are none. */
  readonly usage?: string;
  /** The smallest and the largest number of arguments. Default: none. */
  readonly arguments?: readonly [min: number, max: number];
  /** The words its first argument can be, if there are only a few. */
  readonly words?: readonly string[];
  /** The flags it takes in addition to `sharedFlags`. */
  readonly flags?: readonly FlagName[];
  /** The arguments and flags of a working example; without it, the verb alone is one. */
  readonly example?: string;
  /** More help: what the flags do in this command. */
  readonly note?: string;
  /** It decides in the name of a person, so commands that a session runs cannot use it. */
  readonly isForPerson?: true;
  /** Without an exit code, the command is done. */
  run(invocation: Invocation): Promise<ExitCode | undefined>;
}

export interface Invocation {
  readonly arguments: readonly string[];
  readonly flags: FlagValues;
  readonly output: CommandOutput;
  /** The commands of `toolwright`, by name. */
  readonly verbs: Verbs;
  readPackageVersion(): Promise<string>;
}

export type Verbs = ReadonlyMap<string, Verb>;

export interface Verb {
  readonly purpose: string;
  load(): Promise<{ readonly default: Command }>;
}
