import { posix } from "node:path";
import {
  type ReadOptions,
  readScript,
  type ScriptProblem,
  type ShellScript,
  type SimpleCommand,
} from "../shell-syntax/index.ts";
import { unwrapCommand } from "./extract-commands.ts";
import { findInnerScript } from "./inner-script.ts";

/** A command of a script, or of a script that one of its commands gives to another shell. */
export interface NestedCommand extends SimpleCommand {
  /** The script that it gives to another shell; the commands of that script are in the list too. */
  readonly runsScript?: string;
  /** Index of the command that gave its script to another shell. */
  readonly givenBy?: number;
}

export interface NestedScript {
  readonly commands: readonly NestedCommand[];
  readonly problems: readonly ScriptProblem[];
  /** The script and those inside of it, as each shell gets it. */
  readonly texts: readonly string[];
}

/** Reads a script with the scripts in it that are given to other shells, as in `bash -c '…'`, each as it would run. */
export async function readNested(text: string, options: ReadOptions): Promise<NestedScript> {
  const script = await readLimited(text, options);
  // Most scripts give none to another shell.
  if (!script.commands.some(({ words }) => findInnerScript(words))) return { ...script, texts: [text] };
  const found: Found = { commands: [...script.commands], problems: [...script.problems], texts: [text] };
  await openInner(found, 0, { options, depth: 1 });
  if (found.texts.length > 1 && found.commands.length > maxCommands)
    found.problems.push({ reason: `it contains more than ${maxCommands} commands`, text: "" });
  return found;
}

/** The time that judging takes grows with the square of the commands around another, as in `nice env nice env ls`. */
async function readLimited(text: string, options: ReadOptions): Promise<ShellScript> {
  const script = await readScript(text, options);
  const isBuried = ({ words }: SimpleCommand) =>
    words.length > maxWrappers && unwrapCommand(words).wrappers.length > maxWrappers;
  if (!script.commands.some(isBuried)) return script;
  const reason = `more than ${maxWrappers} commands are around another`;
  return { commands: [], problems: [...script.problems, { reason, text: text.slice(0, 80) }] };
}

const maxWrappers = 20;

interface Found {
  readonly commands: NestedCommand[];
  readonly problems: ScriptProblem[];
  readonly texts: string[];
}

interface Giver {
  readonly index: number;
  readonly directory: string | undefined;
}

const maxDepth = 3;
const maxCommands = 50;

/** Reads the scripts that the commands from this index on give to other shells. */
async function openInner(
  found: Found,
  first: number,
  { options, depth }: { options: ReadOptions; depth: number },
): Promise<void> {
  const end = found.commands.length;
  for (let index = first; index < end; index += 1) {
    const command = found.commands[index]!;
    const inner = command.isFunctionCall ? undefined : findInnerScript(command.words);
    if (inner === undefined || found.commands.length > maxCommands) continue;
    found.commands[index] = { ...command, runsScript: inner.text };
    const { directory } = command;
    const within = { ...options, known: knownIn(directory, options.known) };
    const start = found.commands.length;
    const { commands, problems } = await readLimited(inner.text, within);
    const pipelines = found.commands.reduce((most, { pipeline }) => Math.max(most, pipeline.id + 1), 0);
    const place = { first: start, pipelines, giver: { index, directory } };
    found.texts.push(inner.text);
    found.problems.push(...problems);
    found.commands.push(...commands.map((each) => moveCommand(each, place)));
    if (depth < maxDepth) await openInner(found, start, { options: within, depth: depth + 1 });
  }
}

/** A command of an inner script, among those of the whole. */
function moveCommand(
  { directory: own, ...command }: SimpleCommand,
  { first, pipelines, giver }: { first: number; pipelines: number; giver: Giver },
): NestedCommand {
  const { inside, pipeline } = command;
  const directory = directoryFrom(giver.directory, own);
  return {
    ...command,
    directory,
    pipeline: { ...pipeline, id: pipeline.id + pipelines },
    inside: inside === undefined ? giver.index : inside + first,
    givenBy: giver.index,
  };
}

function directoryFrom(start: string | undefined, own: string | undefined): string | undefined {
  if (own === undefined || posix.isAbsolute(own)) return own;
  return start === undefined ? undefined : posix.join(start, own);
}

/** The other shell starts where its command runs. */
function knownIn(
  directory: string | undefined,
  { PWD, ...known }: NonNullable<ReadOptions["known"]> = {},
): NonNullable<ReadOptions["known"]> {
  if (directory === undefined) return known;
  const start = posix.isAbsolute(directory) ? directory : PWD && posix.join(PWD, directory);
  return start ? { ...known, PWD: start } : known;
}
