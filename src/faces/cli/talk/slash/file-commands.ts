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
  /** As a person knows it. */
  readonly from: string;
}

/** In the order in which they count: of two with the same name, the first is used. */
const folders = [".toolwright/commands", ".claude/commands"];

/** The commands of a workspace, and then those of plugins. Links and files over 16 KiB are left out, as are names that are not plain words. */
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
    // The text is by the author of the project; the person only asked for it.
    message: (argument) =>
      `Do what the command /${name} says, from ${from}:

${fencedText(fillArguments(body.trim(), argument), "markdown")}`,
  };
}

const maxAbout = 60;

/**
 * `$ARGUMENTS` is all of them, `$1` the first. Without a place for them, they follow the message; so they do where a file has
 * so many places that a long argument would fill the memory.
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

/** Words in quotes are one. */
function splitWords(argument: string): string[] {
  return [...argument.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}
