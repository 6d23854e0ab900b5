import { isPlainObject } from "../../../shared/json.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { fitsIn, markRows, showLine } from "../../../shared/text/mark-rows.ts";
import { namedAgent } from "../../../tool/caller.ts";
import { describeEffects } from "../describe-effects.ts";
import { purposeOf } from "../describe-purpose.ts";
import type { CommandVerdict } from "../verdict.ts";
import type { ApprovalRequest } from "./approvals.ts";

export interface ApprovalFormat {
  /** The width of the screen. Default: that of a narrow window, where it is not known. */
  readonly columns?: number;
  /** Who asks, where it is not the main agent or a person. Default: the caller, if it is a sub-agent. */
  readonly asking?: { readonly name: string; readonly task?: string } | undefined;
}

/**
 * What a person is shown before deciding: the whole input, with nothing left out and nothing that a terminal would obey
 * or hide. What acts comes first. Every row of the screen with text that is not ours is indented, and what is too long for
 * one row has a mark before each, so that no value can imitate our own text.
 */
export function formatApproval(
  { tool, input, verdict, caller }: ApprovalRequest,
  { columns = narrowColumns, asking = askingOf(caller) }: ApprovalFormat = {},
): string {
  const field = createField(columns);
  const effects = describeEffects(verdict.effects);
  const lines = [
    "",
    ...formatHeading(field, escapeLine(tool), asking),
    ...formatCommands(field, verdict.commands),
    ...formatInput(field, input),
    ...(verdict.directory === undefined ? [] : field("directory:", verdict.directory)),
    ...formatCategory(verdict.category),
    ...field("reason:", verdict.reason),
    ...(effects.length > 0
      ? ["effects:", ...effects.flatMap(([kind, targets]) => field(`  ${kind}:`, targets))]
      : []),
    "",
  ];
  return lines.join("\n");
}

const narrowColumns = 60;

/** A label of ours with text of others: in the same row if it surely fits there, else in marked rows below. */
type Field = (label: string, text: string) => string[];

function createField(columns: number): Field {
  return (label, text) => {
    const row = `${label} ${showLine(text)}`;
    return text.includes("\n") || !fitsIn(row, columns - 1) ? [label, ...markRows(text, columns)] : [row];
  };
}

function askingOf(caller: ApprovalRequest["caller"]): ApprovalFormat["asking"] {
  const name = namedAgent(caller);
  return name === undefined ? undefined : { name };
}

function formatHeading(field: Field, tool: string, asking: ApprovalFormat["asking"]): string[] {
  if (asking === undefined) return [`${tool} needs approval:`];
  const { name, task } = asking;
  // A model wrote the task; in quotes and after our words, it cannot pass for them.
  const about = task === undefined ? [] : field("  its task:", JSON.stringify(task));
  return [`${name} wants to run ${tool}:`, ...about];
}

/** What the command is for; `general` says nothing. */
function formatCategory(category: string | undefined): string[] {
  const purpose = purposeOf(category);
  return purpose === undefined ? [] : [`kind: it ${purpose}`];
}

/** A script is approved as a whole, so each of its commands is listed before it, those first that need the approval. */
function formatCommands(field: Field, commands: readonly CommandVerdict[] = []): string[] {
  if (commands.length < 2) return [];
  const acting = actingCommands(commands);
  const others = commands.filter((command) => !acting.includes(command));
  return [
    ...(acting.length > 0 ? ["commands that need approval:"] : []),
    ...acting.flatMap((command) => formatCommand(field, command)),
    ...(others.length > 0 ? ["other commands:"] : []),
    ...others.flatMap((command) => formatCommand(field, command)),
  ];
}

/** The commands of a script that it is asked about. */
export function actingCommands(commands: readonly CommandVerdict[] = []): readonly CommandVerdict[] {
  return commands.filter(({ decision }) => decision !== "allow");
}

function formatCommand(field: Field, { decision, text, category, reason }: CommandVerdict): string[] {
  const why = [purposeOf(category), escapeLine(reason)].filter((part) => part !== undefined).join("; ");
  return field(`  ${decision}:`, `${escapeLine(text)} (${why})`);
}

function formatInput(field: Field, input: unknown): string[] {
  if (!isPlainObject(input)) return field("  input:", formatValue(input));
  const entries = Object.entries(input);
  if (entries.length === 0) return ["  (no arguments)"];
  return entries.flatMap(([name, value]) => formatArgument(field, name, value));
}

function formatArgument(field: Field, name: string, value: unknown): string[] {
  // The names of free-form arguments are the caller's too.
  if (plainName.test(name)) return field(`  ${name}:`, formatValue(value));
  return field("  argument:", `${JSON.stringify(name)}: ${formatValue(value)}`);
}

const plainName = /^[\w-]{1,40}$/;

/** Multi-line text keeps its lines: nobody can read a script in one line of JSON. */
function formatValue(value: unknown): string {
  if (typeof value === "string" && value.includes("\n")) return value;
  return JSON.stringify(value, null, 2) ?? "nothing";
}
