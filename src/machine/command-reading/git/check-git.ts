import type { Word } from "../../shell-syntax/shell-script.ts";
import { judgeArguments } from "../judge-arguments.ts";
import { knownText, literalWord } from "../known-words.ts";
import { parseArguments } from "../parse-arguments.ts";
import type { CheckContext, ParsedArguments, ProgramCheck } from "../program.ts";
import type { Report } from "../report.ts";
import { gitCommands, remoteCommands } from "./git-commands.ts";
import { findTrustedRepository } from "./git-gate.ts";
import { reportGitMoves } from "./git-moves.ts";
import { reportGitWrites } from "./git-writes.ts";

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
function showsAnyContent(
  name: string,
  { options, operands }: ParsedArguments,
  words: readonly Word[],
): boolean {
  const isGiven = (names: ReadonlySet<string>) => options.some((option) => names.has(option.name));
  const isPatch = isGiven(patchOptions);
  if (!contentCommands.has(name) && !(historyCommands.has(name) && isPatch)) return false;
  if (isGiven(summaryOptions) && !isPatch) return false;
  const marker = words.findIndex((word) => knownText(word) === "--");
  if (marker !== -1 && marker < words.length - 1) return false;
  // `HEAD:src/a.ts` is one file.
  return operands.length === 0 || !operands.every((word) => /^[^:]+:./.test(knownText(word) ?? ""));
}

const contentCommands: ReadonlySet<string> = new Set([
  "diff",
  "show",
  "whatchanged",
  "grep",
  "cat-file",
  "stash show",
  "diff-tree",
  "diff-index",
  "diff-files",
]);
const historyCommands: ReadonlySet<string> = new Set(["log", "stash list", "reflog", "reflog show"]);
const patchOptions: ReadonlySet<string> = new Set(
  "-p -u --patch -U --unified -L -c --cc -m --patch-with-raw --patch-with-stat --word-diff --color-words --binary".split(
    " ",
  ),
);
const summaryOptions: ReadonlySet<string> = new Set(
  "--stat --name-only --name-status --numstat --shortstat --summary --compact-summary -s --no-patch --quiet --raw".split(
    " ",
  ),
);

const harmlessGlobals: ReadonlySet<string> = new Set([
  "--no-pager",
  "-P",
  "--no-optional-locks",
  "--literal-pathspecs",
  "--no-replace-objects",
  "--no-advice",
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
