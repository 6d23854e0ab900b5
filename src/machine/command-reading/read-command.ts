import { homedir } from "node:os";
import type { ScriptProblem } from "../shell-syntax/index.ts";
import type { readMeaning as ReadMeaning } from "./argument-meaning.ts";
import type { ParsedCommand } from "./extract-commands.ts";
import { expandGlob, isPattern, withoutEscapes } from "./facts/expand-glob.ts";
import { createMachineFacts, type Surroundings } from "./facts/machine-facts.ts";
import type { CommandFinding } from "./judge-commands.ts";
import { isHarmless, type OtherEffects } from "./other-effects.ts";

export type { ArgumentMeaning } from "./argument-meaning.ts";
export type { ParsedCommand } from "./extract-commands.ts";

/**
 * The door of this room: what a bash script would do, from its syntax, the tables of known programs and the workspace's
 * files. Whether it may do that is for the caller to judge.
 */
export async function readCommand(script: string, surroundings: Surroundings): Promise<ScriptReading> {
  // Loaded with the first script, because most calls run none.
  const [{ readNested }, { judgeCommands }, { isKnownProgram, mostlyReads }, { readMeaning }] =
    await Promise.all([
      import("./read-nested.ts"),
      import("./judge-commands.ts"),
      import("./tables/index.ts"),
      import("./argument-meaning.ts"),
    ]);
  const { directory, environment } = surroundings;
  const known = { HOME: environment.HOME ?? homedir(), PWD: directory };
  const read = await readNested(script, { known, isKnownProgram });
  // Bash takes longer than everything else, so it is asked at once if the script looks as if it will be allowed.
  const isPromising = read.problems.length === 0 && read.commands.every(({ words }) => mostlyReads(words[0]));
  const early = isPromising ? askBash(read.texts) : undefined;
  const { category, commands } = await judgeCommands(read, createMachineFacts(surroundings));
  const found = await Promise.all(commands.map(toReadCommand));
  // What bash says counts only if the script would otherwise be allowed.
  const isHarmlessSoFar = read.problems.length === 0 && commands.every(({ effects }) => isHarmless(effects));
  const problems = isHarmlessSoFar ? await (early ?? askBash(read.texts)) : read.problems;
  return {
    directory,
    category,
    readMeaning,
    commands: [...found, ...problems.map(asCommand), ...emptyIf(found, problems)],
  };
}

/** The effects of a script, command by command. */
export interface ScriptReading {
  /** Absolute; the directory it starts in. */
  readonly directory: string;
  /** search, read, list, write, silent or general. */
  readonly category: string;
  readonly commands: readonly ReadCommand[];
  /** Reads words as their program does, for rules. */
  readonly readMeaning: typeof ReadMeaning;
}

/** One command of a script. A part of it that could not be parsed is one too. */
export interface ReadCommand {
  /** As it was written. */
  readonly text: string;
  /** Index of the command in whose words or redirections it is nested. */
  readonly inside?: number | undefined;
  /** Name and arguments; absent unless all of them are known exactly. */
  readonly argv?: readonly string[] | undefined;
  /** The words with each wrapper before the program, the outermost wrapper first. */
  readonly wrapped?: readonly (readonly string[])[] | undefined;
  /** Files that its words may name, if it may do more than its effects say; absolute. */
  readonly files?: readonly string[] | undefined;
  /** No variable, redirection or wrapper changes what its name and arguments say. */
  readonly isPlain: boolean;
  /** An option or operand makes its program do more than usual. */
  readonly isTricky: boolean;
  /** Absent if it could not be parsed. */
  readonly parsed?: ParsedCommand;
  readonly category: string;
  /** Says in words how far it reads or changes things, or why that is unknown. */
  readonly why: string;
  readonly effects: ReadEffects;
}

/** The effects of a command. Paths are absolute. */
export interface ReadEffects extends OtherEffects {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** The paths that it moves to another place, with everything in them. */
  readonly moves?: ReadonlySet<string>;
  /** It deletes something, runs another program, or does something that is unknown. */
  readonly doesMore: boolean;
  /** The part of the folders that it reads that it shows. */
  readonly shows: Shown;
}

/**
 * How much of a folder's files a command shows: their names, their content, or what git keeps of them. Copies keep the name
 * that makes a file a secret, but not the place that makes it a record of Toolwright.
 */
export type Shown = "names" | "copies" | "content" | "history";

/** Asks bash itself about the syntax. */
async function askBash(scripts: readonly string[]): Promise<ScriptProblem[]> {
  const { checkSyntax } = await import("../shell-syntax/bash-oracle.ts");
  const opinions = await Promise.all(scripts.map((script) => checkSyntax(script)));
  const opinion = opinions.find((each) => each !== "ok");
  if (opinion === undefined) return [];
  const reason = opinion === "error" ? "bash reports a syntax error" : "bash could not check the syntax";
  return [{ reason, text: "" }];
}

async function toReadCommand({ reason: why, ...finding }: CommandFinding): Promise<ReadCommand> {
  return { ...finding, why, effects: await readEffects(finding) };
}

async function readEffects(finding: Omit<CommandFinding, "reason">): Promise<ReadEffects> {
  const { reads, writes, moves, named, patterns, deletes, runs, ...others } = finding.effects;
  const [read, written, moved] = await Promise.all(
    [reads, writes, moves].map((paths) => expandAll(paths, { named, patterns })),
  );
  const opaque = others.opaque || runs.length > 0;
  return {
    ...others,
    reads: read ?? [],
    writes: written ?? [],
    moves: new Set(moved),
    doesMore: opaque || deletes || read === undefined || written === undefined,
    opaque,
    shows: shownBy(finding),
  };
}

/** The part of a folder that a command shows: most programs that take one show the content of its files. */
function shownBy({ name, args, category, isNeutral, effects }: Omit<CommandFinding, "reason">): Shown {
  if (name === "git") {
    const isOfTree = args.some((arg) => /^--(?:un|no-i)/.test(arg));
    if (effects.showsHistory) return isOfTree ? "content" : "history";
    return "names";
  }
  if (category === "silent" && effects.writes.length > 0) return "copies";
  if (isNeutral || category === "list" || category === "silent") return "names";
  const isFinding = name === "find" && !args.some((arg) => /^-(?:exec|ok)/.test(arg));
  return isFinding ? "names" : "content";
}

/** Undefined if a pattern matches too many paths. */
async function expandAll(
  paths: readonly string[],
  { named, patterns }: { readonly named: ReadonlySet<string>; readonly patterns: ReadonlySet<string> },
): Promise<string[] | undefined> {
  const wanted = paths.filter((path) => patterns.has(path));
  const expanded = await Promise.all(wanted.map((path) => expandGlob(path)));
  if (!expanded.every((each) => each !== undefined)) return undefined;
  const plain = paths.filter((path) => named.has(path));
  return [...new Set([...plain, ...expanded.flat(), ...wanted.flatMap(listedFolder)])];
}

/** A pattern with `..` also reveals the names in the folder it searches, even if its matches lie elsewhere. */
function listedFolder(path: string): string[] {
  const segments = path.split("/");
  const first = segments.findIndex(isPattern);
  if (first === -1 || !segments.includes("..")) return [];
  return [withoutEscapes(segments.slice(0, first).join("/")) || "/"];
}

/** A problem counts as a command that may do anything. */
function asCommand({ reason, text }: ScriptProblem): ReadCommand {
  const effects = { ...noEffects, doesMore: true, opaque: true };
  return { text, category: "general", why: reason, effects, isPlain: false, isTricky: true };
}

/** A script without commands, such as a comment, still needs a verdict. */
function emptyIf(found: readonly ReadCommand[], problems: readonly ScriptProblem[]): ReadCommand[] {
  if (found.length + problems.length > 0) return [];
  const why = "it does nothing";
  return [{ text: "", category: "general", why, effects: noEffects, isPlain: true, isTricky: false }];
}

const noEffects: ReadEffects = {
  reads: [],
  writes: [],
  hosts: [],
  doesMore: false,
  opaque: false,
  showsHistory: false,
  shows: "names",
  fetches: false,
};
