import type { ScriptReading } from "../../machine/command-reading/read-commands.ts";
import { type DecisionInput, effectsOf, type JudgedRequest, strictestRuling } from "./decide.ts";
import type { CommandVerdict, Verdict } from "./verdict.ts";

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
