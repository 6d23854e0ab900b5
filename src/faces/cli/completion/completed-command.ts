import type { Verbs } from "../command.ts";
import { type Flag, type FlagName, flags, sharedFlags } from "../flags.ts";

/** What a shell has to know to complete a command. */
export interface CompletedCommand {
  readonly name: string;
  readonly purpose: string;
  readonly flags: readonly CompletedFlag[];
  /** The words that its first argument can be; empty if that may be anything. */
  readonly words: readonly string[];
}

export interface CompletedFlag {
  readonly name: string;
  readonly about: string;
  readonly takesValue: boolean;
  readonly isRepeatable: boolean;
  /** Every value it takes; empty if that may be anything. */
  readonly choices: readonly string[];
}

export async function listCommands(verbs: Verbs): Promise<readonly CompletedCommand[]> {
  return Promise.all(
    [...verbs].map(async ([name, { purpose, load }]) => {
      const { default: command } = await load();
      return {
        name,
        purpose,
        flags: [...command.flags, ...sharedFlags].map(completeFlag),
        words: name === "help" ? [...verbs.keys()] : (command.words ?? []),
      };
    }),
  );
}

function completeFlag(name: FlagName): CompletedFlag {
  const { type, about, choices = [], multiple }: Flag = flags[name];
  return { name, about, takesValue: type === "string", isRepeatable: multiple === true, choices };
}
