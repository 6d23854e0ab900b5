import { isPlainObject } from "../../shared/json.ts";
import {
  fitsIn,
  labelRows,
  markRows,
  narrowColumns,
  ownRows,
  showLine,
} from "../../shared/text/mark-rows.ts";
import { describeBehalf, namedAgent } from "../../tool/caller.ts";
import {
  actingCommands,
  type CommandVerdict,
  describeEffects,
  purposeOf,
  type Verdict,
} from "../policy/index.ts";
import type { ApprovalRequest } from "./approvals.ts";

export interface ApprovalFormat {
  /** The width of the screen. Default: that of a narrow window, where it is not known. */
  readonly columns?: number | undefined;
  /** Who asks, where it is not the main agent or a person. Default: the caller, if it is a sub-agent. */
  readonly asking?: { readonly name: string; readonly task?: string } | undefined;
  /** Also shows the diff of what would change. */
  readonly showsPreview?: boolean;
}

/**
 * What a person is shown before deciding: the whole input, with nothing left out and nothing that a terminal would obey
 * or hide. What acts comes first. Every row of the screen with text that is not ours is indented, and a text that is too long
 * for one row has a mark before each, so that no value can imitate our own text.
 */
export function formatApproval(
  { tool, input, defaults, verdict, caller, preview = "" }: ApprovalRequest,
  { columns = narrowColumns, asking = askingOf(caller), showsPreview = false }: ApprovalFormat = {},
): string {
  const field: Field = (label, text) => labelRows(label, text, columns);
  const effects = describeEffects(verdict.effects);
  const lines = [
    "",
    ...formatHeading(field, { tool: showLine(tool), asking, target: targetOf(verdict), columns }),
    ...formatBehalf(field, caller),
    ...formatCommands(field, verdict.commands),
    ...formatInput(field, input, new Set(defaults)),
    ...(verdict.directory === undefined ? [] : field("directory:", verdict.directory)),
    ...formatCategory(verdict.category),
    ...field("reason:", verdict.reason),
    ...(effects.length > 0
      ? ["effects:", ...effects.flatMap(([kind, targets]) => field(`  ${kind}:`, targets))]
      : []),
    ...(showsPreview && preview !== "" ? ["preview:", ...markRows(preview.trimEnd(), columns)] : []),
    "",
  ];
  return lines.join("\n");
}

type Field = (label: string, text: string) => string[];

function askingOf(caller: ApprovalRequest["caller"]): ApprovalFormat["asking"] {
  const name = namedAgent(caller);
  return name === undefined ? undefined : { name };
}

function formatBehalf(field: Field, caller: ApprovalRequest["caller"]): string[] {
  const behalf = describeBehalf(caller);
  return behalf === undefined ? [] : field("on behalf of:", behalf);
}

interface Heading {
  readonly columns: number;
  readonly tool: string;
  readonly asking: ApprovalFormat["asking"];
  readonly target: string;
}

/** The first row, which names the tool and its target, because some clients show little more. */
function formatHeading(field: Field, { tool, asking, target, columns }: Heading): string[] {
  if (asking === undefined) return startOfRow(`${tool} needs approval:`, target, columns);
  const { task } = asking;
  const name = showLine(asking.name);
  // A model wrote the task; in quotes and after our words, it cannot pass for them.
  const about = task === undefined ? [] : field("  its task:", JSON.stringify(task));
  const label = `${name} wants to run ${tool}:`;
  // A long name would leave no room for what matters.
  const isRoomy = fitsIn(label, columns - Math.min(minTarget, target.length + 2));
  if (isRoomy) return [...startOfRow(label, target, columns), ...about];
  return [
    ...ownRows(`${name} wants to run`, columns),
    ...startOfRow(`  ${tool}:`, target, columns),
    ...about,
  ];
}

const minTarget = 24;

/**
 * The target of the call: the first command that needs the approval, or the first thing that it would run, change, reach
 * or read.
 */
function targetOf({ commands, effects }: Verdict): string {
  const targets = actingCommands(commands).map(({ text }) => text);
  const { runs, writes, hosts, reads } = effects;
  const [first = "", ...more] = [targets, runs, writes, hosts, reads].find(({ length }) => length > 0) ?? [];
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}

/** Our words with as much of the text as fits into one row; all of it follows below. */
function startOfRow(label: string, text: string, columns: number): string[] {
  const row = text === "" ? label : `${label} ${showLine(text)}`;
  if (fitsIn(row, columns - 1)) return [row];
  const characters = [...row.slice(0, columns)];
  while (characters.length > label.length && !fitsIn(`${characters.join("")}…`, columns - 1))
    characters.pop();
  return characters.length > label.length + 1 ? [`${characters.join("")}…`] : ownRows(label, columns);
}

/** The purpose of the command; `general` says nothing. */
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

function formatCommand(field: Field, { decision, text, category, reason }: CommandVerdict): string[] {
  const why = [purposeOf(category), showLine(reason)].filter((part) => part !== undefined).join("; ");
  return field(`  ${decision}:`, `${showLine(text)} (${why})`);
}

function formatInput(field: Field, input: unknown, defaults: ReadonlySet<string>): string[] {
  if (!isPlainObject(input)) return field("  input:", formatValue(input));
  const entries = Object.entries(input).filter(([name]) => !defaults.has(name));
  const shown = entries.flatMap(([name, value]) => formatArgument(field, name, value));
  if (defaults.size > 0) return [...shown, ...field("  by default:", [...defaults].join(", "))];
  return entries.length === 0 ? ["  (no arguments)"] : shown;
}

function formatArgument(field: Field, name: string, value: unknown): string[] {
  // The names of free-form arguments are the caller's too.
  if (plainName.test(name)) return field(`  ${name}:`, formatValue(value));
  return field("  argument:", `${JSON.stringify(name)}: ${formatValue(value)}`);
}

const plainName = /^[\w-]{1,40}$/;

/** Multi-line text keeps its lines: a script in one line of JSON cannot be read. */
function formatValue(value: unknown): string {
  if (typeof value === "string" && value.includes("\n")) return value;
  return JSON.stringify(value, null, 2) ?? "nothing";
}

/**
 * The whole request in pages that a form of a client can show; only the last may be allowed. Undefined if it is too long
 * even for that.
 */
export function approvalPages(request: ApprovalRequest): readonly string[] | undefined {
  // Counted before it is formatted, which would keep others waiting.
  if ((JSON.stringify(request)?.length ?? 0) > maxPages * maxPageCharacters) return undefined;
  const pages: string[] = [];
  let page = "";
  // Cuts between rows.
  for (const row of formatApproval(request).trim().split("\n")) {
    if (page !== "" && page.length + row.length >= maxPageCharacters) {
      pages.push(page);
      page = row;
    } else page = page === "" ? row : `${page}\n${row}`;
  }
  return pages.length < maxPages ? [...pages, page] : undefined;
}

const maxPageCharacters = 12_000;
/** A person would not read more with care, and a client that answers by itself is not asked forever. */
const maxPages = 25;
