import { isPlainObject } from "../../../shared/json.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { namedAgent } from "../../../tool/caller.ts";
import { describeEffects } from "../describe-effects.ts";
import { purposeOf } from "../describe-purpose.ts";
import type { CommandVerdict } from "../verdict.ts";
import type { ApprovalRequest } from "./approvals.ts";

/**
 * * What a person is shown before deciding: the whole input, with nothing left out and nothing that a terminal would obey
 * or hide. Every line of a multi-line value starts with a mark, so that no value can imitate our own text.
 */
export function formatApproval(
  { tool, input, verdict, caller }: ApprovalRequest,
  asking = namedAgent(caller),
): string {
  const effects = describeEffects(verdict.effects);
  const lines = [
    "",
    asking === undefined ? `${tool} needs approval:` : `${asking} wants to run ${tool}:`,
    ...formatInput(input),
    ...formatDirectory(verdict.directory),
    ...formatCategory(verdict.category),
    `reason: ${escapeLine(verdict.reason)}`,
    ...(effects.length > 0 ? ["effects:", ...effects.map(([kind, targets]) => `  ${kind}: ${targets}`)] : []),
    ...formatCommands(verdict.commands),
    "",
  ];
  return lines.join("\n");
}

/** An earlier command may have changed the directory, which changes what this one does. */
function formatDirectory(directory: string | undefined): string[] {
  return directory === undefined ? [] : [`directory: ${escapeLine(directory)}`];
}

/** What the command is for; `general` says nothing. */
function formatCategory(category: string | undefined): string[] {
  const purpose = purposeOf(category);
  return purpose === undefined ? [] : [`kind: it ${purpose}`];
}

/** A script is approved as a whole, so each of its commands is listed where it cannot be overlooked. */
function formatCommands(commands: readonly CommandVerdict[] = []): string[] {
  if (commands.length < 2) return [];
  const rows = commands.map(
    ({ decision, text, category, reason }) =>
      `  ${decision}: ${escapeLine(text)} (${[purposeOf(category), escapeLine(reason)].filter((part) => part !== undefined).join("; ")})`,
  );
  return ["commands:", ...rows];
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

/** Multi-line text keeps its lines: nobody can read a script in one line of JSON. */
function formatValue(value: unknown): string[] {
  const text =
    typeof value === "string" && value.includes("\n") ? value : (JSON.stringify(value, null, 2) ?? "nothing");
  return text.split("\n").map((line) => escapeLine(line));
}
