import type { PermissionRequest } from "../../../tool/permission-request.ts";
import type { Shown } from "../confinement/secrets-in-sight.ts";
import { type DecisionInput, effectsOf, type JudgedRequest, strictestRuling } from "../decide.ts";
import type { RuleCommand } from "../rules/rule.ts";
import type { CommandVerdict, ParsedCommand, Verdict } from "../verdict.ts";

/** What a script would do, command by command. */
export interface ScriptReading {
  /** Absolute; the directory it starts in. */
  readonly directory: string;
  /** search, read, list, write, silent or general. */
  readonly category: string;
  readonly commands: readonly ReadCommand[];
  /** Reads words as their program does, for rules. */
  readonly readMeaning: NonNullable<RuleCommand["readMeaning"]>;
}

/** One command of a script, and the permissions it needs. */
export interface ReadCommand {
  /** As it was written. */
  readonly text: string;
  /** Absent if it could not be parsed. */
  readonly parsed?: ParsedCommand;
  readonly category: string;
  /** Index of the command that this one is nested in. */
  readonly inside?: number;
  /** What it would do, or why that is unknown. */
  readonly why: string;
  /** At least one; paths are absolute. */
  readonly requests: readonly PermissionRequest[];
  readonly isOpaque: boolean;
  /** It shows the content of files as git keeps them. */
  readonly showsHistory: boolean;
  /** What it shows of the folders that it reads. */
  readonly shows: Shown;
  /** All it does at its hosts is to fetch something and print it. */
  readonly fetches: boolean;
  /** A repository that it reads and of which the workspace is a part; absolute. */
  readonly repository?: string;
  /** It also changes that repository. */
  readonly writesRepository?: boolean;
  /** Submodules that commands have made, and whose settings it uses; absolute. */
  readonly enters?: readonly string[];
  /** Those of the paths in its requests that go to another place, with everything in them. */
  readonly moves?: readonly string[];
  /** The words that rules match; absent if unknown until it runs. */
  readonly argv?: readonly string[];
  readonly wrapped?: readonly (readonly string[])[];
  /** Files that its words may name, if it may do more than its requests say; absolute. */
  readonly files?: readonly string[];
  readonly isPlain: boolean;
  readonly isTricky: boolean;
}

/** The requests of all commands of a script, each marked with its command. */
export function requestsOfScript({ commands, readMeaning }: ScriptReading): JudgedRequest[] {
  return commands.flatMap(
    ({ requests, argv, wrapped, repository, writesRepository, enters, moves, files, ...said }, index) => {
      const { isPlain, isTricky, showsHistory, shows, fetches, why } = said;
      const known = {
        ...(argv && { argv }),
        ...(wrapped && { wrapped }),
        ...(enters && { enters }),
        ...(moves && { moves: new Set(moves) }),
        ...(files && { files }),
      };
      const around = repository && { repository, writesRepository: writesRepository === true };
      const command = {
        index,
        why,
        isPlain,
        isTricky,
        showsHistory,
        shows,
        fetches,
        readMeaning,
        ...known,
        ...around,
      };
      return requests.map((request) => ({ ...request, command }));
    },
  );
}

/** Adds the verdicts on each command to a script's verdict. */
export function withCommandVerdicts(verdict: Verdict, reading: ScriptReading, input: DecisionInput): Verdict {
  const { category, directory } = reading;
  const requestsOf = Map.groupBy(input.requests, (request) => request.command?.index);
  const commands = reading.commands.map((command, index): CommandVerdict => {
    const own = requestsOf.get(index) ?? [];
    const { decision, reason } = strictestRuling(own, input);
    const { text, parsed, category: ownCategory, inside, isOpaque } = command;
    return {
      text,
      category: ownCategory,
      ...(parsed && index < maxParsed && { parsed }),
      decision,
      reason,
      effects: effectsOf(own, isOpaque),
      ...(inside !== undefined && { inside }),
    };
  });
  return { ...verdict, category, directory, commands };
}

// Nobody reads more, and every receipt has them.
const maxParsed = 100;
