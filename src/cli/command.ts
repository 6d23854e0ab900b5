import type { ExitCode } from "./exit-code.ts";
import type { FlagName, FlagValues } from "./flags.ts";
import type { CommandOutput } from "./terminal/command-output.ts";

/** One verb of the command line: what it takes, and what it does with it. */
export interface Command {
  /** What follows the verb, as in `<tool> ['<json>']`. */
  readonly usage: string;
  readonly minArguments: number;
  readonly maxArguments: number;
  /** Those it takes besides the ones that every verb takes. */
  readonly flags: readonly FlagName[];
  /** What follows the verb in a command that works. */
  readonly example: string;
  /** What its flags do here beyond what is said of them everywhere. */
  readonly note?: string;
  run(invocation: Invocation): Promise<ExitCode>;
}

export interface Invocation {
  readonly arguments: readonly string[];
  readonly flags: FlagValues;
  readonly output: CommandOutput;
  readPackageVersion(): Promise<string>;
}
