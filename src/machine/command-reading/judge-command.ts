import { posix } from "node:path";
import { relativeInside } from "../../shared/relative-inside.ts";
import { type Assignment, isFreshName, type Redirect, type Word } from "../shell-syntax/index.ts";
import type { FoundEntry, MachineFacts } from "./facts/machine-facts.ts";
import { feedArguments } from "./feed-arguments.ts";
import { readShellWords } from "./inner-script.ts";
import { judgeArguments } from "./judge-arguments.ts";
import { knownText, literalWord, shownText } from "./known-words.ts";
import { type Category, defineProgram, type Program } from "./program.ts";
import type { NestedCommand } from "./read-nested.ts";
import { createReport, harmlessDevices, type Listing, type Report } from "./report.ts";
import { findProgram } from "./tables/index.ts";
import { wrappers } from "./tables/wrappers.ts";
import { forgetsSettings, unwrap } from "./wrapper.ts";

export interface CommandContext {
  readonly world: MachineFacts;
  /** Absolute; undefined if unknown. */
  readonly directory: string | undefined;
  readonly input: Listing | undefined;
  /** The command that started the shell has taken away the variables that are set for commands that read. */
  readonly hasLostSettings?: boolean;
}

export interface JudgedCommand {
  readonly report: Report;
  /**
   * The command's effects come from its words alone, without a variable, redirection or wrapper, so a rule that names
   * the command covers all of it.
   */
  readonly isPlain: boolean;
  readonly category: OwnCategory;
}

/** Finds the effects of one command of a script. */
export async function judgeCommand(
  command: NestedCommand,
  surroundings: CommandContext,
): Promise<JudgedCommand> {
  const report = createReport(surroundings.directory);
  if (surroundings.hasLostSettings) report.loseSettings();
  const [name] = command.words;
  const isBare = name === undefined;
  for (const assignment of command.assignments) {
    if (isBare) judgeBareAssignment(assignment, report);
    else judgePrefixAssignment(assignment, report, findProgram(knownText(name) ?? ""));
  }
  for (const redirect of command.redirects) judgeRedirect(redirect, report);
  judgeSecrets(command, report);
  const { found } = report;
  const isPlain = !found.opaque && found.reads.size + found.writes.size + found.hosts.size === 0;
  // The commands in the function's body are judged on their own.
  if (command.isFunctionCall) return { report, isPlain, category: bareCategory(report) };
  const program = isBare
    ? undefined
    : await judgeWords(command.words, report, {
        ...surroundings,
        text: command.text,
        runsScript: command.runsScript,
      });
  await writeFound(report, surroundings.world);
  const category = isBare ? bareCategory(report) : categoryFor(program, report);
  return { report, isPlain: isPlain && found.isPlain, category };
}

function judgeSecrets({ words, assignments, redirects }: NestedCommand, report: Report): void {
  const values = [
    ...words,
    ...assignments.map(({ value }) => value),
    ...redirects.map(({ target }) => target),
  ];
  for (const name of values.flatMap(secretVariables))
    report.ask(`$${name} may hold a secret`, { onlyReads: true });
}

/** Inherited variables in a word that may hold a secret, such as `$GITHUB_TOKEN`. */
function secretVariables(word: Word): readonly string[] {
  if (word.kind !== "dynamic" && word.kind !== "glob") return [];
  const names = [...word.source.matchAll(/\$(?:\{[#!]?)?([A-Za-z_]\w*)/g)].map(([, name]) => name!);
  return names.filter((name) => /[A-Z]/.test(name) && !openNames.has(name));
}

/** Standard variables that hold no secrets. */
const openNames: ReadonlySet<string> = new Set(
  "HOME PWD OLDPWD PATH LANG USER LOGNAME SHELL TERM TZ HOSTNAME HOSTTYPE OSTYPE MACHTYPE UID EUID PPID RANDOM SECONDS LINENO SHLVL COLUMNS LINES BASH BASH_VERSION BASHPID PIPESTATUS EPOCHSECONDS FUNCNAME REPLY IFS TMPDIR".split(
    " ",
  ),
);

interface WordSurroundings extends CommandContext {
  readonly text: string;
  /** The script that the command gives to another shell, whose commands are judged on their own. */
  readonly runsScript?: string | undefined;
}

async function judgeWords(
  words: readonly Word[],
  report: Report,
  surroundings: WordSurroundings,
): Promise<Program | undefined> {
  const [nameWord, ...rest] = words;
  const commandLine = words.map(shownText).join(" ");
  if (nameWord === undefined) return undefined;
  if (nameWord.kind !== "literal" || knownText(nameWord) === undefined) {
    report.ask(`${nameWord.source} could be any program`);
    report.run(commandLine);
    return undefined;
  }
  const name = nameWord.text;
  if (name.includes("/")) {
    report.runAnything(commandLine, `${name} is a program or script that could do anything`);
    return undefined;
  }
  const wrapper = wrappers.get(name);
  const wrapped = wrapper && unwrap(wrapper, rest);
  if (wrapper !== undefined && wrapped !== undefined) {
    await checkPathOfProgram(name, report, surroundings.world);
    for (const problem of wrapped.parsed.problems) report.askAround(`${name}: ${problem}`);
    for (const { name: given, option } of wrapped.parsed.options) {
      if (option === undefined) report.askAround(`${name} ${given} is not known to be harmless`);
      else if (option.meaning === "asks") report.askAround(`${name} ${given} ${option.reason}`);
    }
    if (forgetsSettings(wrapper, wrapped.parsed)) report.loseSettings();
    for (const word of wrapped.assignments) judgePrefixAssignment(asAssignment(word), report);
    if (typeof wrapper.manner === "object") {
      report.askAround(`${name} ${wrapper.manner.asks}`);
      report.run(commandLine);
    }
    if (wrapper.manner === "feeds") return judgeFed(wrapped, report, surroundings);
    if (wrapped.words.length > 0) return judgeWords(wrapped.words, report, surroundings);
    if (findProgram(name) === undefined) return wrapper.program;
  }
  const inner = surroundings.runsScript === undefined ? undefined : readShellWords(nameWord, rest);
  if (inner !== undefined && inner.text === surroundings.runsScript) {
    await checkPathOfProgram(name, report, surroundings.world);
    if (inner.isLogin && !(await surroundings.world.hasOwnHome()))
      report.ask(
        `${name} would first run the start-up files of the home folder, which a command may have changed`,
      );
    return shellProgram;
  }
  const program = findProgram(name);
  if (program === undefined) {
    report.runAnything(commandLine, `${name} is not known to be harmless`);
    return undefined;
  }
  await checkPathOfProgram(name, report, surroundings.world);
  if (program.needsSettings && report.found.hasLostSettings)
    report.askAround(`${name} would run without the settings that keep it from running other programs`);
  const context = {
    name,
    ...surroundings,
    judgeWords: (innerWords: readonly Word[], innerReport: Report) =>
      judgeWords(innerWords, innerReport, surroundings),
  };
  await judgeArguments(program, rest, { report, context });
  return program;
}

/** A shell that is given a script is what its script is. */
const shellProgram = defineProgram({ names: [], category: "neutral", operands: "checked" });

async function judgeFed(
  inner: NonNullable<ReturnType<typeof unwrap>>,
  report: Report,
  surroundings: WordSurroundings,
): Promise<Program | undefined> {
  const words = inner.words.length > 0 ? inner.words : [literalWord("echo")];
  const program = findProgram(knownText(words[0]!) ?? "");
  const { input, world, directory } = surroundings;
  const fed = await feedArguments(words, { program, parsed: inner.parsed, input, report, world, directory });
  return judgeWords(fed, report, { ...surroundings, input: undefined });
}

/** A workspace file that the shell would find under a known program's name is not that program. */
async function checkPathOfProgram(name: string, report: Report, world: MachineFacts): Promise<void> {
  const path = await world.programPath(name);
  if (path === undefined) return;
  if (relativeInside(world.root, path) !== undefined) {
    report.ask(`${name} would run ${path}, a file in the workspace`);
    report.run(path);
  }
}

function asAssignment(word: Word): Assignment {
  const text = knownText(word);
  const written = text ?? word.source;
  const name = written.slice(0, written.indexOf("="));
  const value: Word =
    text === undefined
      ? { kind: "dynamic", prefix: "", source: word.source, why: "its value is unknown" }
      : literalWord(text.slice(name.length + 1));
  return { name, value, isCompound: false };
}

function bareCategory({ found }: Report): OwnCategory {
  if (found.writes.size > 0) return "write";
  return found.mayDoMore ? "general" : "neutral";
}

/** A reading program that changes something counts as `write`; one that may do anything, and an unknown one, as `general`. */
function categoryFor(program: Program | undefined, { found }: Report): OwnCategory {
  if (program === undefined) return "general";
  const { opaque, deletes, writes, runs, hosts, mayDoMore } = found;
  const isHarmless = !opaque && !deletes && writes.size + runs.size + hosts.size === 0;
  if (isHarmless || program.category === "silent" || program.category === "general") return program.category;
  if (mayDoMore) return "general";
  return writes.size > 0 || deletes ? "write" : program.category;
}

/** A category, or `neutral` for commands such as `echo` and `cd`, which say nothing about a pipeline's purpose. */
type OwnCategory = Category | "neutral";

/**
 * The category of a script, from those of its commands: one `general` or `write` command decides, `silent` needs all of
 * them to be silent, and among reading commands the first one decides.
 */
export function categoryOf(parts: readonly OwnCategory[]): Category {
  const relevant = parts.filter((part) => part !== "neutral");
  const [first] = relevant;
  if (first === undefined || relevant.includes("general")) return "general";
  if (relevant.includes("write")) return "write";
  if (relevant.includes("silent")) return relevant.every((part) => part === "silent") ? "silent" : "general";
  return first;
}

/** Reports what a redirection reads, writes or connects to. */
function judgeRedirect({ operator, descriptor, target }: Redirect, report: Report): void {
  const text = knownText(target);
  const socket = /^\/dev\/(?:tcp|udp)(?:\/([^/]*))?/.exec(text ?? "");
  // `{name}>` assigns a variable, possibly one that changes how programs behave.
  if (typeof descriptor === "string") report.ask(`{${descriptor}}${operator} assigns a variable`);
  else if (operator.startsWith("<<") || isDuplication(operator, text)) return;
  else if (text === undefined && operator === "<" && target.kind === "glob") report.read(target);
  else if (text === undefined)
    report.ask(`the target of ${operator} ${target.source} is unknown until it runs`);
  else if (socket !== null) {
    report.connect(socket[1] || "*");
    report.ask(`${operator} ${text} opens a network connection`);
  } else if (operator === "<&") report.ask(`${operator} ${text} does not name a descriptor`);
  else if (!harmlessDevices.has(text)) {
    const file = literalWord(text);
    if (operator === "<" || operator === "<>") report.read(file);
    if (operator !== "<") report.write(file);
  }
}

/** `2>&1`, `>&-`, `3<&0-`. */
function isDuplication(operator: string, text: string | undefined): boolean {
  return (operator === ">&" || operator === "<&") && text !== undefined && /^(?:\d+-?|-)$/.test(text);
}

/** A variable set for one command: only a few names are known to affect nothing but the output's format. */
function judgePrefixAssignment(
  { name, value, isCompound }: Assignment,
  report: Report,
  program?: Program,
): void {
  const isAllowed = shownNames.has(name) || /^LC_[A-Z]+$/.test(name);
  const text = knownText(value);
  if (program?.variables?.includes(name) && text !== undefined && !isCompound) return;
  if (!isAllowed) report.askAround(`the variable ${name} may change what the command does`);
  else if (isCompound || text === undefined)
    report.askAround(`the value of ${name} is unknown until it runs`);
  // A time zone or locale may also be a file path.
  else if (!/^[\w.@+\-/]*$/.test(text) || text.startsWith("/") || text.includes("..")) {
    report.askAround(`${name}=${text} is an unusual value`);
  }
}

const shownNames: ReadonlySet<string> = new Set("LANG TZ NO_COLOR COLUMNS DEBUG CI FORCE_COLOR".split(" "));

/** A variable of the script itself: fine unless shells or programs use that name. */
function judgeBareAssignment({ name }: Assignment, report: Report): void {
  if (!isFreshName(name)) report.ask(`the variable ${name} may change what later commands do`);
}

/**
 * Names that `find` finds and another program writes stand nowhere in the command. Those that count are reported like
 * files that it names: protected ones, links, and the entries directly in the folder.
 */
async function writeFound(report: Report, world: MachineFacts): Promise<void> {
  for (const [folder, { mayBeNamed, isMoved }] of report.found.writesBeneath) {
    const found = await world.listBelow(folder, { most: maxFound });
    if (isMoved) for (const path of foldersToMove(folder, found, mayBeNamed)) report.move(literalWord(path));
    const told = new Set(found?.flatMap((entry) => toldPath(entry, mayBeNamed, world)));
    if (found === undefined || told.size > maxTold)
      return report.ask(`what is in ${folder} is too much to look at`);
    for (const path of told) report.write(literalWord(`${folder}/${path}`));
  }
}

/** The folders that may be found, with what started the search; if there are too many, that stands for all of them. */
function foldersToMove(
  start: string,
  found: readonly FoundEntry[] | undefined,
  mayBeNamed: (name: string) => boolean,
): readonly string[] {
  const inside = found?.filter(({ path, kind }) => kind === "directory" && mayBeNamed(posix.basename(path)));
  if (inside === undefined || inside.length > maxTold) return [start];
  const folders = inside.map(({ path }) => `${start}/${path}`);
  return mayBeNamed(posix.basename(start)) ? [start, ...folders] : folders;
}

const maxFound = 10_000;
// Each of them is judged, and stands in the verdict.
const maxTold = 200;

function toldPath(
  { path, kind }: FoundEntry,
  mayBeNamed: (name: string) => boolean,
  { isProtectedName }: MachineFacts,
): readonly string[] {
  const names = path.split("/");
  const isFound = mayBeNamed(names.at(-1)!);
  if (isFound && (kind === "other" || names.length === 1 || names.some(isProtectedName))) return [path];
  // A folder may be one that is loaded as code.
  return kind === "directory" && names.length === 1 && !isProtectedName(path) ? [path] : [];
}
