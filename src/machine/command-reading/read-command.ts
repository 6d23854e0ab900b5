import { homedir } from "node:os";
import type { ScriptProblem } from "../shell-syntax/shell-script.ts";
import type { readMeaning as ReadMeaning } from "./argument-meaning.ts";
import { type CommandFinding, isHarmless, type ParsedCommand } from "./command-finding.ts";
import { expandGlob, isPattern, withoutEscapes } from "./facts/expand-glob.ts";
import { createMachineFacts, type Surroundings } from "./facts/machine-facts.ts";

export type { ArgumentMeaning } from "./argument-meaning.ts";
export type { ParsedCommand } from "./command-finding.ts";

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

/** What a script would do, command by command. */
export interface ScriptReading {
  /** Absolute; the directory it starts in. */
  readonly directory: string;
  /** search, read, list, write, silent or general. */
  readonly category: string;
  readonly commands: readonly ReadCommand[];
  /** Reads words as their program does, for rules. */
  readonly readMeaning: typeof ReadMeaning;
}

/** One command of a script. */
export interface ReadCommand {
  /** As it was written. */
  readonly text: string;
  /** Absent if it could not be parsed. */
  readonly parsed?: ParsedCommand;
  readonly category: string;
  /** Index of the command that this one is nested in. */
  readonly inside?: number;
  /** What it would do, or why that is unknown. */
  readonly why: string;
  readonly effects: ReadEffects;
  /** The words that rules match; absent if unknown until it runs. */
  readonly argv?: readonly string[];
  readonly wrapped?: readonly (readonly string[])[];
  /** Files that its words may name, if it may do more than its effects say; absolute. */
  readonly files?: readonly string[];
  readonly isPlain: boolean;
  readonly isTricky: boolean;
}

/** What a command would do. Paths are absolute. */
export interface ReadEffects {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** `*` if unknown. */
  readonly hosts: readonly string[];
  /** It deletes something, runs another program, or does something that is unknown. */
  readonly doesMore: boolean;
  readonly opaque: boolean;
  /** It shows the content of files as git keeps them. */
  readonly showsHistory: boolean;
  /** What it shows of the folders that it reads. */
  readonly shows: Shown;
  /** All it does at its hosts is to fetch something and print it. */
  readonly fetches: boolean;
  /** A repository that it reads and of which the workspace is a part. */
  readonly repository?: string;
  /** It also changes that repository. */
  readonly writesRepository?: boolean;
  /** Submodules that commands have made, and whose settings it uses. */
  readonly enters?: readonly string[];
  /** Those of its paths that go to another place, with everything in them. */
  readonly moves?: readonly string[];
}

/**
 * How much of a folder's files a command shows: their names, their content, or what git keeps of them. Copies keep the name
 * that makes a file a secret, but not the place that makes it one of our own.
 */
export type Shown = "names" | "copies" | "content" | "history";

/** What bash itself says about the syntax. */
async function askBash(scripts: readonly string[]): Promise<ScriptProblem[]> {
  const { checkSyntax } = await import("../shell-syntax/bash-oracle.ts");
  const opinions = await Promise.all(scripts.map((script) => checkSyntax(script)));
  const opinion = opinions.find((each) => each !== "ok");
  if (opinion === undefined) return [];
  const reason = opinion === "error" ? "bash reports a syntax error" : "bash could not check the syntax";
  return [{ reason, text: "" }];
}

async function toReadCommand(finding: CommandFinding): Promise<ReadCommand> {
  const { text, parsed, category, inside, reason, argv, wrapped, isPlain, isTricky, files } = finding;
  return {
    text,
    parsed,
    category,
    why: reason,
    effects: await readEffects(finding),
    isPlain,
    isTricky,
    ...(files && { files }),
    ...(inside !== undefined && { inside }),
    ...(argv && { argv }),
    ...(wrapped && { wrapped }),
  };
}

async function readEffects(finding: CommandFinding): Promise<ReadEffects> {
  const { effects } = finding;
  const { hosts, opaque, deletes, runs, showsHistory, fetches, repository, writesRepository, enters } =
    effects;
  const [reads, writes, moves] = await Promise.all(
    [effects.reads, effects.writes, effects.moves].map((paths) => expandAll(paths, effects)),
  );
  return {
    reads: reads ?? [],
    writes: writes ?? [],
    hosts,
    doesMore: opaque || deletes || runs.length > 0 || reads === undefined || writes === undefined,
    opaque: opaque || runs.length > 0,
    showsHistory,
    shows: shownBy(finding),
    fetches,
    ...(repository !== undefined && { repository }),
    ...(writesRepository && { writesRepository }),
    ...(enters?.length && { enters }),
    ...(moves?.length && { moves }),
  };
}

/** What it shows of a folder that it is given: most programs that take one show what is in its files. */
function shownBy({ name, args, category, isNeutral, effects }: CommandFinding): Shown {
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
  { named, patterns }: Pick<CommandFinding["effects"], "named" | "patterns">,
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
