import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readSmallFile } from "../../../../shared/files/read-small-file.ts";
import { readFrontMatter } from "../../../../shared/front-matter/read-front-matter.ts";
import { fencedText } from "../../../../shared/markdown/fenced-text.ts";
import { oneLine } from "../../../../shared/text/one-line.ts";

/** A message with places for arguments, which a project keeps in a file. */
export interface FileCommand {
  readonly name: string;
  readonly about: string;
  /** The message with the arguments in their places. */
  message(argument: string): string;
}

interface CommandFolder {
  readonly path: string;
  /** The name by which a person knows the folder. */
  readonly from: string;
}

/** The folders in the order in which they count: of two commands with one name, the first is used. */
const folders = [".toolwright/commands", ".claude/commands"];

/**
 * Reads the commands of a workspace, and then those of plugins. Links, files over 16 KiB and names that are not plain words
 * are left out.
 */
export async function readFileCommands(
  workspace: string,
  ofPlugins: readonly CommandFolder[] = [],
): Promise<ReadonlyMap<string, FileCommand>> {
  const found = new Map<string, FileCommand>();
  const own = folders.map((folder) => ({ path: join(workspace, folder), from: folder }));
  for (const { path, from } of [...own, ...ofPlugins]) {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.slice(0, maxCommands)) {
      const name = /^([\w-]{1,60})\.md$/.exec(entry.name)?.[1];
      if (name === undefined || !entry.isFile() || found.has(name)) continue;
      const text = await readSmallFile(join(path, entry.name));
      if (text.trim() !== "") found.set(name, await toCommand(name, text, from));
    }
  }
  return found;
}

const maxCommands = 500;

async function toCommand(name: string, text: string, from: string): Promise<FileCommand> {
  const { fields, body } = await readFrontMatter(text).catch(() => ({ fields: undefined, body: text }));
  const described = fields?.get("description");
  const about = described?.kind === "text" ? described.text : (body.trim().split("\n")[0] ?? "");
  return {
    name,
    about: `${oneLine(about, maxAbout)} (${from})`,
    // The author of the project wrote the text; the person only asked for it.
    message: (argument) =>
      `Do what the command /${name} says, from ${from}:

${fencedText(fillArguments(body.trim(), argument), "markdown")}`,
  };
}

const maxAbout = 60;

/**
 * Fills in the arguments: `$ARGUMENTS` is all of them, `$1` the first. They follow a message without a place for them, and
 * one with so many places that a long argument would fill the memory.
 */
function fillArguments(body: string, argument: string): string {
  const places = body.match(/\$(?:ARGUMENTS|[1-9])/g)?.length ?? 0;
  if (places > 1 && places * argument.length > maxFilledCharacters) return `${body}\n\n${argument}`;
  const words = splitWords(argument);
  let isUsed = false;
  const filled = body.replace(/\$(?:ARGUMENTS|([1-9]))/g, (_place, position?: string) => {
    isUsed = true;
    return position === undefined ? argument : (words[Number(position) - 1] ?? "");
  });
  return isUsed || argument === "" ? filled : `${filled}\n\n${argument}`;
}

const maxFilledCharacters = 200_000;

/** Splits an argument into words; words in quotes count as one. */
function splitWords(argument: string): string[] {
  return [...argument.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}
