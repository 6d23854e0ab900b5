import { posix } from "node:path";
import type { Word } from "../../shell-syntax/shell-script.ts";
import { knownText, literalWord } from "../known-words.ts";
import type { CheckContext } from "../program.ts";
import type { Report } from "../report.ts";
import { checkMoving } from "../tables/changes.ts";

/** Reports the folders and files that a git command moves, as those of `mv` are. */
export async function reportGitMoves(
  words: readonly Word[],
  report: Report,
  context: CheckContext,
): Promise<void> {
  const command = readCommand(words);
  const [name, subcommand] = command.words.map(knownText);
  const given = name === "mv" ? command.words.slice(1) : command.words.slice(2);
  if (name !== "mv" && !(name === "worktree" && subcommand === "move")) return;
  const directory = command.folders.reduce<string | undefined>(
    (from, folder) => (from === undefined ? undefined : posix.resolve(from, folder)),
    context.directory,
  );
  // A word after `-C` is a path from there, for git, and a pattern in it was expanded by the shell.
  const operands = operandsOf(given).map((word) => {
    const text = knownText(word);
    const isHere = command.folders.length === 0 || text === undefined || directory === undefined;
    return isHere ? word : literalWord(posix.resolve(directory, text));
  });
  await checkMoving({ operands, options: [], unsettled: [], problems: [] }, report, {
    ...context,
    directory,
  });
}

/** The words from the command's name on, and the folders that `-C` leads through before. */
function readCommand(words: readonly Word[]): {
  readonly words: readonly Word[];
  readonly folders: readonly string[];
} {
  const folders: string[] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const text = knownText(words[at]!);
    if (text?.startsWith("-") !== true) break;
    if (!withValue.has(text)) continue;
    at += 1;
    const value = words[at] && knownText(words[at]!);
    if (text === "-C" && value !== undefined) folders.push(value);
  }
  return { words: words.slice(at), folders };
}

const withValue: ReadonlySet<string> = new Set(
  "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source".split(" "),
);

function operandsOf(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex((word) => knownText(word) === "--");
  const before = end === -1 ? words : words.slice(0, end);
  const after = end === -1 ? [] : words.slice(end + 1);
  return [...before.filter((word) => knownText(word)?.startsWith("-") !== true), ...after];
}
