import { readScript } from "../../../src/machine/shell-syntax/read-script.ts";
import type { ReadOptions } from "../../../src/machine/shell-syntax/reading.ts";
import type { SimpleCommand, Word } from "../../../src/machine/shell-syntax/shell-script.ts";

const options: ReadOptions = { isKnownProgram: (name) => name === "ls" };

export async function readCommands(text: string, own: ReadOptions = {}): Promise<readonly SimpleCommand[]> {
  const { commands, problems } = await readScript(text, { ...options, ...own });
  if (problems.length > 0) throw new Error(`${text}: ${problems[0]!.reason}`);
  return commands;
}

export async function readReasons(text: string, own: ReadOptions = {}): Promise<string> {
  const { problems } = await readScript(text, { ...options, ...own });
  return problems.map(({ reason }) => reason).join("\n");
}

/** The arguments of the last command that is not nested in another, each as `text`, `$text`, `*pattern` or `?prefix…`, with `#` for a number. */
export async function readWords(text: string, own: ReadOptions = {}): Promise<string[]> {
  const commands = await readCommands(text, own);
  return commands
    .findLast(({ inside }) => inside === undefined)!
    .words.slice(1)
    .map(show);
}

/** Every command as its words, joined. */
export function showCommands(commands: readonly SimpleCommand[]): string[] {
  return commands.map(({ words }) => words.map(show).join(" "));
}

export function show(word: Word): string {
  switch (word.kind) {
    case "literal":
      return word.text;
    case "variable":
      return `$${word.text}`;
    case "glob":
      return `*${word.pattern}`;
    case "dynamic":
      return `?${word.prefix}…${word.isInteger ? "#" : ""}`;
  }
}
