import type { ReadEffects, ScriptReading } from "../../machine/command-reading/read-command.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import { type DecisionInput, effectsOf, strictestRuling } from "./decide.ts";
import type { JudgedRequest } from "./rules/match-request.ts";
import type { CommandVerdict, Verdict } from "./verdict.ts";

/** What all commands of a script need permission for, each marked with its command. */
export function requestsOfScript({ commands, readMeaning }: ScriptReading): JudgedRequest[] {
  return commands.flatMap(({ text, effects, argv, wrapped, files, isPlain, isTricky, why }, index) => {
    const command = { ...effects, index, why, argv, wrapped, files, isPlain, isTricky, readMeaning };
    return requestsFor(text, effects).map((request) => ({ ...request, command }));
  });
}

/** At least one, so that each command has its verdict. */
function requestsFor(text: string, { reads, writes, hosts, doesMore }: ReadEffects): PermissionRequest[] {
  const requests = [
    ...reads.map((target) => ({ action: "read", target }) as const),
    ...writes.map((target) => ({ action: "write", target }) as const),
    ...hosts.map((target) => ({ action: "network", target }) as const),
    ...(doesMore ? [{ action: "execute", target: text } as const] : []),
  ];
  return requests.length === 0 ? [{ action: "read" }] : requests;
}

/** Adds the verdicts on each command to a script's verdict. */
export function withCommandVerdicts(verdict: Verdict, reading: ScriptReading, input: DecisionInput): Verdict {
  const { category, directory } = reading;
  const requestsOf = Map.groupBy(input.requests, (request) => request.command?.index);
  const commands = reading.commands.map((command, index): CommandVerdict => {
    const own = requestsOf.get(index) ?? [];
    const { decision, reason } = strictestRuling(own, input);
    const { text, parsed, category: ownCategory, inside, effects } = command;
    return {
      text,
      category: ownCategory,
      ...(parsed && index < maxParsed && { parsed }),
      decision,
      reason,
      effects: effectsOf(own, effects.opaque),
      ...(inside !== undefined && { inside }),
    };
  });
  return { ...verdict, category, directory, commands };
}

// A person would not read more, and every receipt has them.
const maxParsed = 100;
