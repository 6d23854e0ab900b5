import { orMeant } from "../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import type { FlagName, FlagValues } from "./flags.ts";
import type { CommandOutput } from "./terminal/command-output.ts";

/** One command of `toolwright`, such as `call`: its arguments and flags, and the code that runs it. */
export interface Command {
  /** The arguments after the verb, as in `<tool> ['<json>']`; undefined if there are none. */
  readonly usage?: string;
  /** The smallest and the largest number of arguments. Default: none. */
  readonly arguments?: readonly [min: number, max: number];
  /** The words that its first argument can be, if there are only a few. */
  readonly words?: readonly string[];
  /** The flags it takes in addition to `sharedFlags`. */
  readonly flags?: readonly FlagName[];
  /** The arguments and flags of a working example; undefined if the verb alone is an example. */
  readonly example?: string;
  /** More help, such as the meaning of the flags in this command. */
  readonly note?: string;
  /** The command decides in the name of a person, so commands that a session runs cannot use it. */
  readonly isForPerson?: true;
  /** Runs the command, which ends as done if it returns no exit code. */
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

/** Exit codes of commands. The numbers are part of the public contract: scripts branch on them. */
export const exitCodes = { done: 0, failed: 1, wrongUsage: 2, denied: 3, timedOut: 4 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command line, its input or its configuration is wrong; nothing was run. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** Throws a usage error that begins with these words and ends with the message of its cause. */
export function failUsage(words: string, cause: unknown): never {
  throw new UsageError(`${words}: ${(cause as Error).message}`, { cause });
}

export function unknownSession(id: string): UsageError {
  return new UsageError(`no session ${JSON.stringify(id)}; \`toolwright sessions\` lists them`);
}

export function findVerb(name: string, verbs: Verbs): Verb {
  return findNamed("command", verbs, { name, otherwise: "`toolwright --help` lists the commands" });
}

/** Runs the action of a command that its first argument names, such as `add` of `toolwright plugin`. */
export async function runAction(
  verb: string,
  actions: ReadonlyMap<string, Command["run"]>,
  { arguments: [name = "", ...rest], ...invocation }: Invocation,
): Promise<ExitCode | undefined> {
  const action = findNamed("action", actions, { name, otherwise: `see toolwright ${verb} --help` });
  return action({ ...invocation, arguments: rest });
}

/** Finds the command or action of a name. Throws with the nearest names if there is none. */
function findNamed<Named>(
  kind: "command" | "action",
  all: ReadonlyMap<string, Named>,
  { name, otherwise }: { name: string; otherwise: string },
): Named {
  const found = all.get(name);
  if (found !== undefined) return found;
  const rest = orMeant(nearestNames(name, all.keys()), otherwise);
  throw new UsageError(`unknown ${kind} ${JSON.stringify(name)}${rest}`);
}
