import { join, posix } from "node:path";
import type { Word } from "../../shell-syntax/index.ts";
import { judgeArguments } from "../judge-arguments.ts";
import { knownText, literalWord } from "../known-words.ts";
import { hasOption, parseArguments } from "../parse-arguments.ts";
import type { CheckContext, ParsedArguments, ProgramCheck } from "../program.ts";
import type { Report } from "../report.ts";
import { checkMoving } from "../tables/changes.ts";
import { findSettings } from "./find-settings.ts";
import { gitCommands, remoteCommands } from "./git-commands.ts";
import { findTrustedRepository } from "./git-gate.ts";

/** Checks git's global options, then its subcommand, then whether the repository can be trusted. */
export const checkGit: ProgramCheck = async ({ operands: words }, report, context) => {
  const texts = words.map(knownText);
  if (texts.length === 1 && (texts[0] === "--version" || texts[0] === "version")) return;
  report.enter((await context.world.newSubmodules?.()) ?? []);
  await reportGitMoves(words, report, context);
  const first = texts.findIndex((text) => text === undefined || !harmlessGlobals.has(text));
  const name = first === -1 ? undefined : texts[first];
  if (name === undefined || words[first]?.kind !== "literal")
    return refuse("the git command is unknown until it runs", report, context);
  if (name.startsWith("-")) {
    refuse(`git ${name} may select another repository or run a program`, report, context);
    const command = afterSettings(texts);
    return command === -1 ? undefined : reportGitWrites(words.slice(command), report, context);
  }
  const rest = words.slice(first + 1);
  const subcommand = texts[first + 1];
  if (remoteCommands.has(name) || (name === "remote" && subcommand === "update")) report.connect("*");
  const program = gitCommands.get(`${name} ${subcommand ?? ""}`) ?? gitCommands.get(name);
  if (program === undefined) {
    report.runAnything(context.text, `git ${name} is not known to be read-only`);
    return reportGitWrites(words.slice(first), report, context);
  }
  const isTwoWords = gitCommands.has(`${name} ${subcommand ?? ""}`);
  const found = await findTrustedRepository(context.directory, context.world);
  const trusted = "problem" in found ? undefined : found;
  const inner = { ...context, name: `git ${name}`, ...trusted };
  const given = isTwoWords ? rest.slice(1) : rest;
  await judgeArguments(program, given, { report, context: inner });
  if (report.found.mayDoMore) await reportGitWrites(words.slice(first), report, context);
  if (showsAnyContent(isTwoWords ? `${name} ${subcommand}` : name, parseArguments(given, program), given))
    report.showHistory();
  report.read(".");
  if ("problem" in found) report.ask(found.problem);
  // From a folder inside, git still reads the whole repository.
  else if (found.repository === (context.world.root ?? context.world.directory))
    report.read(literalWord(found.repository));
  else report.readRepository(found.repository);
};

/** Whether it shows the content of files that its words do not name, such as everything a commit changed. */
function showsAnyContent(name: string, parsed: ParsedArguments, words: readonly Word[]): boolean {
  const { operands } = parsed;
  const isPatch = hasOption(parsed, ...patchOptions);
  if (!contentCommands.has(name) && !(historyCommands.has(name) && isPatch)) return false;
  if (hasOption(parsed, ...summaryOptions) && !isPatch) return false;
  const marker = words.findIndex((word) => knownText(word) === "--");
  if (marker !== -1 && marker < words.length - 1) return false;
  // `HEAD:src/a.ts` is one file.
  return operands.length === 0 || !operands.every((word) => /^[^:]+:./.test(knownText(word) ?? ""));
}

const contentCommands: ReadonlySet<string> = new Set([
  ...["diff", "show", "whatchanged", "grep", "cat-file", "stash show"],
  ...["diff-tree", "diff-index", "diff-files"],
]);
const historyCommands: ReadonlySet<string> = new Set(["log", "stash list", "reflog", "reflog show"]);
const patchOptions = [
  ...["-p", "-u", "--patch", "-U", "--unified", "-L", "-c", "--cc", "-m", "--patch-with-raw"],
  ...["--patch-with-stat", "--word-diff", "--color-words", "--binary"],
];
const summaryOptions = [
  ...["--stat", "--name-only", "--name-status", "--numstat", "--shortstat", "--summary"],
  ...["--compact-summary", "-s", "--no-patch", "--quiet", "--raw"],
];

const harmlessGlobals: ReadonlySet<string> = new Set([
  ...["--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs"],
  ...["--no-replace-objects", "--no-advice"],
]);

/** Where the command stands after `-c name=value` and options that select no repository; -1 after any other. */
function afterSettings(texts: readonly (string | undefined)[]): number {
  const at = texts.findIndex(
    (text, index) => text !== "-c" && texts[index - 1] !== "-c" && !harmlessGlobals.has(text ?? ""),
  );
  return texts[at]?.startsWith("-") === false ? at : -1;
}

function refuse(reason: string, report: Report, { text }: CheckContext): void {
  report.ask(reason);
  report.run(text);
}

/** Reports the folders and files that a git command moves, as those of `mv` are. */
async function reportGitMoves(words: readonly Word[], report: Report, context: CheckContext): Promise<void> {
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

/**
 * Reports the settings that a git command changes, and the repository around the workspace that it writes to. They are
 * protected or out of reach for every command, so that a person is asked about them, and an approved command gets them.
 */
async function reportGitWrites(
  [nameWord, ...rest]: readonly Word[],
  report: Report,
  { world, directory }: Pick<CheckContext, "world" | "directory">,
): Promise<void> {
  const name = nameWord && knownText(nameWord);
  const words = rest.map((word) => knownText(word) ?? "");
  if (name === "init") {
    const folder = words.find((word) => !word.startsWith("-"));
    if (!words.includes("--bare")) report.write(join(directory ?? ".", folder ?? ".", ".git"));
    return;
  }
  const root = world.root;
  const found = await findSettings(root, world);
  if ("problem" in found) return;
  const { repository } = found;
  if (repository !== root) report.writeRepository(repository);
  const isWritten = name !== undefined && settingsWriters.get(name)?.(words);
  if (isWritten) for (const path of isWritten) report.write(join(repository, path));
}

const config = ".git/config";
// The git folders of submodules.
const modules = ".git/modules";

/** The settings that each subcommand changes, given the words after it; undefined if it changes none. */
const settingsWriters = new Map<string, (words: readonly string[]) => readonly string[] | undefined>(
  Object.entries({
    config: (words) => {
      const isElsewhere = words.some((word) => /^(?:--(?:global|system|file|blob|worktree)\b|-f)/.test(word));
      // After a name, everything is a value.
      const first = words.findIndex((word) => !word.startsWith("-"));
      const operands = first === -1 ? [] : words.slice(first);
      const isChange =
        operands.length > 1 ||
        words.some((word) =>
          /^--(?:add|unset|replace-all|remove-section|rename-section|edit)|^-e$/.test(word),
        );
      const isQuestion = words.some((word) => /^--(?:get|list)|^-l$/.test(word)) || operands[0] === "get";
      return isElsewhere || !isChange || isQuestion ? undefined : [config];
    },
    remote: (words) =>
      /^(?:add|rm|remove|rename|set-url|set-branches|set-head)$/.test(actionOf(words)) ? [config] : undefined,
    submodule: (words) => {
      const action = actionOf(words);
      if (action === "add") return [config, ".gitmodules", modules];
      return /^(?:init|deinit|sync|update|set-url|set-branch)$/.test(action) ? [config, modules] : undefined;
    },
    "sparse-checkout": () => [config, ".git/config.worktree", ".git/info"],
    worktree: (words) =>
      /^(?:add|remove|prune|move|lock|unlock|repair)$/.test(actionOf(words)) ? [".git/worktrees"] : undefined,
  }),
);

/** After options such as `--quiet`. */
function actionOf(words: readonly string[]): string {
  return words.find((word) => !word.startsWith("-")) ?? "";
}
