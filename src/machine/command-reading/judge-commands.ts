import { posix } from "node:path";
import { createEventLoopYield } from "../../shared/event-loop-yield.ts";
import type { SimpleCommand } from "../shell-syntax/index.ts";
import { parsedCommand, unwrapCommand } from "./extract-commands.ts";
import type { MachineFacts } from "./facts/machine-facts.ts";
import { ownFilesOf } from "./facts/own-files.ts";
import { categoryOf, type JudgedCommand, judgeCommand } from "./judge-command.ts";
import { knownText, shownText } from "./known-words.ts";
import { isHarmless, type OtherEffects } from "./other-effects.ts";
import type { NestedCommand, NestedScript } from "./read-nested.ts";
import type { Listing, Report } from "./report.ts";

/** The findings about each command of a script. */
export type CommandJudgement = Awaited<ReturnType<typeof judgeCommands>>;

export type CommandFinding = ReturnType<typeof findingOf>;

/** Finds the effects of each command of a script. The caller judges the paths and the script's own problems. */
export async function judgeCommands(script: Pick<NestedScript, "commands">, world: MachineFacts) {
  const judged: JudgedCommand[] = [];
  const feeders = new Map<string, JudgedCommand | "several">();
  const yieldNow = createEventLoopYield();
  for (const command of script.commands) {
    await yieldNow(performance.now());
    const directory = directoryOf(command, world);
    const input = inputOf(command, feeders);
    const giver = command.givenBy === undefined ? undefined : judged[command.givenBy];
    const hasLostSettings = giver?.report.found.hasLostSettings === true;
    const found = await judgeCommand(command, { world, directory, input, hasLostSettings });
    const one = isGivenPlainly(command, judged) ? found : { ...found, isPlain: false };
    judged.push(one);
    const place = placeOf(command, 0);
    feeders.set(place, feeders.has(place) ? "several" : one);
  }
  return {
    category: categoryOf(judged.map(({ category }) => category)),
    commands: script.commands.map((command, index) =>
      findingOf(command, judged[index]!, directoryOf(command, world) ?? world.directory),
    ),
  };
}

/**
 * Whether an inner script runs in a plain shell: a variable or wrapper that changes the shell changes all commands in
 * it.
 */
function isGivenPlainly({ givenBy }: NestedCommand, judged: readonly JudgedCommand[]): boolean {
  return givenBy === undefined || judged[givenBy]!.isPlain;
}

function directoryOf({ directory }: SimpleCommand, world: MachineFacts): string | undefined {
  if (directory === undefined || posix.isAbsolute(directory)) return directory;
  // `cd` resolves `..` textually, so this does too.
  return posix.join(world.directory, directory);
}

/** The file names printed by the previous command of the pipeline. */
function inputOf(
  command: SimpleCommand,
  feeders: ReadonlyMap<string, JudgedCommand | "several">,
): Listing | undefined {
  const { pipeline, redirects } = command;
  const isFedOtherwise = redirects.some(({ operator }) => operator.startsWith("<"));
  if (pipeline.position === 0 || isFedOtherwise) return undefined;
  const before = feeders.get(placeOf(command, -1));
  return before === "several" ? undefined : before?.report.found.listing;
}

function placeOf({ pipeline }: SimpleCommand, offset: number): string {
  return `${pipeline.id} ${pipeline.position + offset}`;
}

function findingOf(command: SimpleCommand, { report, isPlain, category }: JudgedCommand, directory: string) {
  const { name, args, wrapped } = unwrapCommand(command.words);
  const argv = name === undefined ? args : [name, ...args];
  const texts = argv.flatMap((word) => knownText(word) ?? []);
  const effects = effectsOf(report);
  return {
    text: command.text,
    parsed: parsedCommand(command),
    /** The program that really runs, after wrappers such as `timeout 5`. */
    name: name && shownText(name),
    /** Its arguments, each as it would be passed, or as written if that is unknown. */
    args: args.map(shownText),
    inside: command.inside,
    category: categoryOf([category]),
    /** It says nothing about the script's purpose, like `echo` and `cd`. */
    isNeutral: category === "neutral",
    pipeline: command.pipeline,
    /** Why it is harmless, or why it needs approval. */
    reason: reasonFor(report, effects),
    effects,
    isPlain,
    isTricky: report.found.isTricky,
    files: isHarmless(effects) ? undefined : namedFiles(command.words.map(shownText), directory),
    argv: argv.length > 0 && texts.length === argv.length ? texts : undefined,
    wrapped: wrapped.length > 0 ? wrapped.map((words) => words.map(shownText)) : undefined,
  };
}

/** Paths are absolute, with `..` and links unresolved; patterns stay patterns. */
function effectsOf({ found }: Report) {
  const { named, patterns, deletes, opaque, showsHistory, fetches, enters, repository } = found;
  const [repositoryFolder, writesRepository] = [repository?.folder, repository?.isWritten];
  const others: OtherEffects = {
    ...{ hosts: [...found.hosts], opaque, showsHistory, fetches, enters },
    ...{ repository: repositoryFolder, writesRepository },
  };
  const paths = { reads: [...found.reads], writes: [...found.writes], moves: [...found.moves] };
  return { ...others, ...paths, named, patterns, deletes, runs: [...found.runs] };
}

function reasonFor({ found: { reasons } }: Report, effects: ReturnType<typeof effectsOf>): string {
  if (reasons.length > 0) return reasons[0]!;
  if (effects.hosts.length > 0) return `it connects to ${effects.hosts.join(", ")}`;
  if (!isHarmless(effects)) return "it may do more than read";
  return effects.reads.length > 0 ? "it only reads" : "it touches nothing";
}

/**
 * Finds the absolute paths of files that a command's words may name, because its program may run or obey the text of
 * such a file: an operand, the value of an option, after its `=` or its letter, the text after an `@`, and files that
 * the program looks for by itself, here or in a folder that a word names.
 */
function namedFiles(words: readonly string[], directory: string): readonly string[] {
  const values = words.flatMap(valuesIn).filter(isName);
  const named = [...new Set(values.map((name) => posix.resolve(directory, name)))];
  const folders = [directory, ...named.slice(0, maxFolders)];
  const own = [...new Set(words.flatMap((word, index) => ownFilesOf(word, words[index + 1])))].filter(isName);
  return [
    ...new Set([...named, ...own.flatMap((file) => folders.map((folder) => posix.join(folder, file)))]),
  ];
}

/** A word, and what of it a program may take for a name. */
function valuesIn(word: string): readonly string[] {
  const value = word.slice(word.indexOf("=") + 1);
  const attached = /^-[a-z]./i.test(word) ? [word.slice(2)] : [];
  return [word, value, ...attached].flatMap((each) => (each.startsWith("@") ? [each, each.slice(1)] : each));
}

/** More words than anybody writes by hand. */
const maxFolders = 200;

function isName(name: string): boolean {
  return name !== "" && !name.includes("\0");
}
