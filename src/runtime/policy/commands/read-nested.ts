import { posix } from "node:path";
import { type ReadOptions, readScript } from "../../shell-syntax/read-script.ts";
import type { ScriptProblem, SimpleCommand } from "../../shell-syntax/shell-script.ts";
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

/** Reads a script with the scripts in it that are given to other shells, as in `bash -c '…'`, each by what it would run. */
export async function readNested(text: string, options: ReadOptions): Promise<NestedScript> {
  const found: Found = { commands: [], problems: [], texts: [] };
  await readInto(found, text, { options, depth: 0 });
  if (found.texts.length > 1 && found.commands.length > maxCommands)
    found.problems.push({ reason: `it contains more than ${maxCommands} commands`, text: "" });
  return found;
}

interface Found {
  readonly commands: NestedCommand[];
  readonly problems: ScriptProblem[];
  readonly texts: string[];
}

interface Nesting {
  readonly options: ReadOptions;
  readonly depth: number;
  readonly giver?: { readonly index: number; readonly directory: string | undefined };
}

const maxDepth = 3;
const maxCommands = 50;

async function readInto(found: Found, text: string, { options, depth, giver }: Nesting): Promise<void> {
  const { commands, problems } = await readScript(text, options);
  const first = found.commands.length;
  const pipelines = found.commands.reduce((most, { pipeline }) => Math.max(most, pipeline.id + 1), 0);
  found.texts.push(text);
  found.problems.push(...problems);
  found.commands.push(
    ...commands.map((command) => (giver ? moveCommand(command, { first, pipelines, giver }) : command)),
  );
  if (depth === maxDepth) return;
  for (let index = first; index < first + commands.length; index += 1) {
    const command = found.commands[index]!;
    const inner = command.isFunctionCall ? undefined : findInnerScript(command.words);
    if (inner === undefined || found.commands.length > maxCommands) continue;
    found.commands[index] = { ...command, runsScript: inner.text };
    const { directory } = command;
    await readInto(found, inner.text, {
      options: { ...options, known: knownIn(directory, options.known) },
      depth: depth + 1,
      giver: { index, directory },
    });
  }
}

/** A command of an inner script, among those of the whole. */
function moveCommand(
  { directory: own, ...command }: SimpleCommand,
  { first, pipelines, giver }: { first: number; pipelines: number; giver: NonNullable<Nesting["giver"]> },
): NestedCommand {
  const { inside, pipeline } = command;
  const directory = directoryFrom(giver.directory, own);
  return {
    ...command,
    ...(directory !== undefined && { directory }),
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
  return { ...known, ...(start && { PWD: start }) };
}
