import { posix } from "node:path";
import { trimEndOf } from "../../shared/text/trim-end-of.ts";
import type { Word } from "../shell-syntax/index.ts";
import { escapePattern, isPattern, withoutEscapes } from "./facts/expand-glob.ts";
import { findGlobProblem } from "./glob-problem.ts";
import { isProcessOutput, knownText, literalWord } from "./known-words.ts";

/** File names that a command prints for the next command of the pipeline. */
export interface Listing {
  readonly isNullSeparated: boolean;
  /** The common start of all names, such as `./`. */
  readonly prefix: string;
  /** The folder that contains them, as written. */
  readonly folder: string;
  /** The patterns that selected the names. */
  readonly names: readonly string[];
  /** False for a last part of a path that none of them has. Default: nothing is known. */
  readonly mayBeNamed?: (name: string) => boolean;
  /**
   * Where the names come from: from these places on disk (absolute; with all their entries, or only those directly in
   * them), from this index of git, or from anywhere in a repository's past. Default: the paths that the command reads.
   */
  readonly source?: NameSource;
  /** None of them is a link, except for those that the command itself was given. */
  readonly hasNoLinks?: boolean;
}

export type NameSource =
  | { readonly places?: readonly string[]; readonly isFlat?: boolean; readonly index?: string }
  | "past";

interface WrittenBeneath {
  readonly mayBeNamed: (name: string) => boolean;
  readonly isMoved: boolean;
}

export type Report = ReturnType<typeof createReport>;

/**
 * Collects what one command would do.
 * @param directory where the command runs, absolute; undefined if unknown
 */
export function createReport(directory: string | undefined) {
  const found = nothingFound();
  const { reads, writes, moves, named, patterns, reasons } = found;
  const admit = (reason: string) => {
    found.opaque = true;
    reasons.push(reason);
  };
  const ask = (reason: string, { onlyReads = false } = {}) => {
    found.isTricky = true;
    if (!onlyReads) found.mayDoMore = true;
    admit(reason);
  };
  const add = (paths: Set<string>, word: Word | string, isHarmlessPath = (_path: string) => false) => {
    const path = resolvePath(word, directory);
    if ("problem" in path) {
      ask(path.problem, { onlyReads: paths === reads });
      // The paths that it matches now are judged all the same.
      if (path.pattern !== undefined) {
        paths.add(path.pattern);
        patterns.add(path.pattern);
      }
    } else if (!isHarmlessPath(path.text)) {
      const beneath = typeof word !== "string" && word.kind === "glob" ? word.beneath : undefined;
      const isMoved = paths === moves;
      if (beneath !== undefined && paths !== reads)
        found.writesBeneath.set(withoutEscapes(path.text), { mayBeNamed: beneath.mayBeNamed, isMoved });
      // Of such a folder, the entries that are found in it are moved.
      if (!isMoved || beneath === undefined) paths.add(path.text);
      (path.isPattern ? patterns : named).add(path.text);
      // A text that is not a word of the command may be either.
      if (path.isPattern && typeof word === "string") add(paths, literalWord(word));
    }
  };

  const read = (word: Word | string) => {
    const isOutput = typeof word !== "string" && isProcessOutput(word);
    if (!isOutput) add(reads, word, (path) => harmlessDevices.has(path));
  };

  return {
    /** All that was reported so far. */
    found: found as Readonly<Found>,
    /** The reason why it cannot be shown to be harmless. Whatever it is, some commands cannot do more than read. */
    ask,
    read,
    /** Reads an operand of a program for which `-` is its input. */
    readOperand(word: Word) {
      if (knownText(word) !== "-") read(word);
    },
    write(word: Word | string) {
      add(writes, word);
      reasons.push(`it writes ${writtenAs(word)}`);
    },
    remove(word: Word) {
      found.deletes = true;
      add(writes, word);
      reasons.push(`it deletes ${writtenAs(word)}`);
    },
    /** It goes to another place with everything in it, where it can be read. */
    move(word: Word) {
      reasons.push(`it moves ${writtenAs(word)}`);
      for (const paths of [reads, writes, moves]) add(paths, word);
    },
    run(commandLine: string) {
      found.runs.add(commandLine);
      found.opaque = true;
    },
    /** The program by nature may do anything; an allow rule that names it covers this. */
    runAnything(commandLine: string, reason: string) {
      found.runs.add(commandLine);
      found.mayDoMore = true;
      admit(reason);
    },
    /** Something around the command, such as `sudo`, changes it, so no rule on the command itself covers it. */
    askAround(reason: string) {
      found.isPlain = false;
      admit(reason);
    },
    connect: (host: string) => void found.hosts.add(host),
    /** It gets something from a host and prints it, and does no more there. */
    fetch(host: string) {
      found.hosts.add(host);
      found.fetches = true;
    },
    list(listing: Listing) {
      found.listing = { ...listing, source: listing.source ?? { places: [...reads] } };
    },
    /** It shows the content of files as git keeps them. */
    showHistory() {
      found.showsHistory = true;
    },
    /** It uses the settings of these folders, which commands have made. */
    enter(folders: readonly string[]) {
      found.enters = folders;
    },
    /** It reads a repository of which the workspace is a part. */
    readRepository(folder: string) {
      found.repository = { folder, isWritten: found.repository?.isWritten ?? false };
    },
    /** The command also changes the repository. */
    writeRepository(folder: string) {
      found.repository = { folder, isWritten: true };
      const path = posix.join(folder, ".git");
      writes.add(path);
      named.add(path);
    },
    /** Something around the command takes away the variables that are set for commands that read. */
    loseSettings() {
      found.hasLostSettings = true;
    },
  };
}

type Found = ReturnType<typeof nothingFound>;

function nothingFound() {
  return {
    reads: new Set<string>(),
    writes: new Set<string>(),
    /** Paths that it reads or writes and that it moves. */
    moves: new Set<string>(),
    /** Paths that it reads or writes and that name one file, even if its name has the characters of a pattern. */
    named: new Set<string>(),
    patterns: new Set<string>(),
    /** Folders beneath which it writes what an earlier command finds; each without a pattern, as in `writes`. */
    writesBeneath: new Map<string, WrittenBeneath>(),
    runs: new Set<string>(),
    hosts: new Set<string>(),
    deletes: false,
    opaque: false,
    showsHistory: false,
    repository: undefined as { readonly folder: string; readonly isWritten: boolean } | undefined,
    enters: [] as readonly string[],
    /** All it does at its hosts is to fetch. */
    fetches: false,
    /** An option or operand makes the program do more than usual. */
    isTricky: false,
    /** It may do something else than the program usually does. */
    mayDoMore: false,
    /** Nothing around the command changes its effects. */
    isPlain: true,
    hasLostSettings: false,
    reasons: [] as string[],
    listing: undefined as Listing | undefined,
  };
}

function writtenAs(word: Word | string): string {
  return typeof word === "string" ? word : word.source;
}

/** Reading from or redirecting to these reveals and changes nothing. */
export const harmlessDevices: ReadonlySet<string> = new Set([
  "/dev/null",
  "/dev/stdin",
  "/dev/stdout",
  "/dev/stderr",
]);

function resolvePath(
  word: Word | string,
  directory: string | undefined,
): { text: string; isPattern: boolean } | { problem: string; pattern?: string } {
  const path = typeof word === "string" ? word : pathOf(word);
  if (path === undefined) {
    return { problem: `${(word as Word).source} could be any file` };
  }
  if (typeof word !== "string" && word.kind === "glob") {
    const problem = findGlobProblem(path);
    if (problem !== undefined) {
      const pattern = posix.isAbsolute(path) ? path : directory && joinPath(escapePattern(directory), path);
      return pattern === undefined ? { problem } : { problem, pattern };
    }
  }
  const isGlob = typeof word === "string" ? isPattern(path) : word.kind === "glob";
  if (posix.isAbsolute(path)) return { text: path, isPattern: isGlob };
  if (directory === undefined) return { problem: "the directory it runs in is unknown" };
  const from = isGlob ? escapePattern(directory) : directory;
  return { text: joinPath(from, path), isPattern: isGlob };
}

function pathOf(word: Word): string | undefined {
  return word.kind === "glob" ? word.pattern : knownText(word);
}

/** Keeps `..` unresolved: after a link it leads elsewhere than the text suggests. */
function joinPath(directory: string, path: string): string {
  const rest = trimEndOf(path.replace(/^(?:\.\/+)+/, ""), "/");
  if (rest === "" || rest === ".") return directory;
  return directory === "/" ? `/${rest}` : `${directory}/${rest}`;
}
