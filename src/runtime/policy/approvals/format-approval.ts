import { isPlainObject } from "../../../shared/json.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { namedAgent } from "../../../tool/caller.ts";
import { describeEffects } from "../describe-effects.ts";
import type { CommandVerdict } from "../verdict.ts";
import type { ApprovalRequest } from "./approvals.ts";

/**
 * What a person decides on: the whole input, nothing left out and nothing that the terminal would obey or hide.
 * Every line of a value stands behind a mark, so that no value can pass for something we say.
 */
export function formatApproval(
  { tool, input, verdict, caller }: ApprovalRequest,
  asking = namedAgent(caller),
): string {
  const effects = describeEffects(verdict.effects);
  const lines = [
    "",
    asking === undefined ? `${tool} asks to run:` : `${asking} wants to run ${tool}:`,
    ...formatInput(input),
    ...formatDirectory(verdict.directory),
    `why it asks: ${escapeLine(verdict.reason)}`,
    ...(effects.length > 0
      ? ["it would touch:", ...effects.map(([kind, targets]) => `  ${kind}: ${targets}`)]
      : []),
    ...formatCommands(verdict.commands),
    "",
  ];
  return lines.join("\n");
}

/** An earlier command may have gone elsewhere, and the same words do something else there. */
function formatDirectory(directory: string | undefined): string[] {
  return directory === undefined ? [] : [`where: ${escapeLine(directory)}`];
}

/** A script is decided on as a whole, and none of its commands may hide among the others. */
function formatCommands(commands: readonly CommandVerdict[] = []): string[] {
  if (commands.length < 2) return [];
  const rows = commands.map(
    ({ decision, text, reason }) => `  ${decision}: ${escapeLine(text)} (${escapeLine(reason)})`,
  );
  return ["its commands:", ...rows];
}

function formatInput(input: unknown): string[] {
  if (!isPlainObject(input)) return formatValue(input);
  const entries = Object.entries(input);
  if (entries.length === 0) return ["  (no arguments)"];
  return entries.flatMap(([name, value]) => {
    const [first = "", ...rest] = formatValue(value);
    const label = `  ${escapeLine(name)}:`;
    return rest.length === 0
      ? [`${label} ${first}`]
      : [label, ...[first, ...rest].map((line) => `  | ${line}`)];
  });
}

/** Text of several lines is shown as such, since nobody can read a script in one line of JSON. */
function formatValue(value: unknown): string[] {
  const text =
    typeof value === "string" && value.includes("\n") ? value : (JSON.stringify(value, null, 2) ?? "nothing");
  return text.split("\n").map((line) => escapeLine(line));
}
