import type { PermissionRequest } from "../../../tool/permission-request.ts";
import { type DecisionInput, effectsOf, type JudgedRequest, strictestRuling } from "../decide.ts";
import type { CommandVerdict, Verdict } from "../verdict.ts";

/** What a script would do, command by command. */
export interface ScriptReading {
  /** Absolute; where it starts. */
  readonly directory: string;
  /** search, read, list, write, silent or general. */
  readonly category: string;
  readonly commands: readonly ReadCommand[];
}

/** One command of a script, and what it asks for. */
export interface ReadCommand {
  /** As it was written. */
  readonly text: string;
  readonly category: string;
  /** The index of the command in one of whose words it stands. */
  readonly inside?: number;
  /** What it would do, or why that cannot be told. */
  readonly why: string;
  /** At least one; paths are absolute. */
  readonly requests: readonly PermissionRequest[];
  readonly isOpaque: boolean;
  /** As rules see it; absent where it is known only when it runs. */
  readonly argv?: readonly string[];
  readonly isPlain: boolean;
  readonly isTricky: boolean;
}

/** What the commands of a script ask for, each in its command's name. */
export function requestsOfScript({ commands }: ScriptReading): JudgedRequest[] {
  return commands.flatMap(({ requests, argv, isPlain, isTricky, why }, index) =>
    requests.map((request) => ({
      ...request,
      command: { index, why, isPlain, isTricky, ...(argv && { argv }) },
    })),
  );
}

/** The verdict on a script, and on each of its commands. */
export function withCommandVerdicts(verdict: Verdict, reading: ScriptReading, input: DecisionInput): Verdict {
  const { category, directory } = reading;
  const commands = reading.commands.map((command, index): CommandVerdict => {
    const own = input.requests.filter((request) => request.command?.index === index);
    const { decision, reason } = strictestRuling(own, input);
    const { text, category: ownCategory, inside, isOpaque } = command;
    return {
      text,
      category: ownCategory,
      decision,
      reason,
      effects: effectsOf(own, isOpaque),
      ...(inside !== undefined && { inside }),
    };
  });
  return { ...verdict, category, directory, commands };
}
