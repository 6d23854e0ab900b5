import { posix } from "node:path";
import type { Word } from "../../shell-syntax/shell-script.ts";
import { findGlobProblem } from "./glob-problem.ts";
import { isProcessOutput, knownText } from "./known-words.ts";

/** Names of files that a command prints, for the next one in the pipeline. */
export interface Listing {
  readonly isNullSeparated: boolean;
  /** What every name begins with, such as `./`. */
  readonly prefix: string;
  /** The folder they lie in, as written. */
  readonly folder: string;
  /** Patterns the names were asked for by. */
  readonly names: readonly string[];
}

/** Gathers what one command would do. */
export interface Report {
  read(word: Word | string): void;
  write(word: Word | string): void;
  remove(word: Word | string): void;
  run(commandLine: string): void;
  /** It is the nature of the program: whoever names it in a rule knows. */
  runAnything(commandLine: string, reason: string): void;
  /** It changes what a rule on the command itself would stand for, as `sudo` does. */
  askAround(reason: string): void;
  connect(host: string): void;
  /** It cannot be shown to be harmless, and this is why. */
  ask(reason: string): void;
  list(listing: Listing): void;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly runs: readonly string[];
  readonly hosts: readonly string[];
  readonly deletes: boolean;
  readonly opaque: boolean;
  /** An option or operand makes more of the program than it seems. */
  readonly isTricky: boolean;
  /** Nothing around the command makes something else of it. */
  readonly isPlain: boolean;
  readonly reasons: readonly string[];
  readonly listing: Listing | undefined;
}

/** @param directory where the command runs, absolute; undefined where that is not known */
export function createReport(directory: string | undefined): Report {
  const reads = new Set<string>();
  const writes = new Set<string>();
  const runs = new Set<string>();
  const hosts = new Set<string>();
  const reasons: string[] = [];
  let deletes = false;
  let opaque = false;
  let isTricky = false;
  let isPlain = true;
  let listing: Listing | undefined;

  const admit = (reason: string) => {
    opaque = true;
    reasons.push(reason);
  };
  const ask = (reason: string) => {
    isTricky = true;
    admit(reason);
  };
  const add = (paths: Set<string>, word: Word | string, isHarmlessPath = (_path: string) => false) => {
    const path = resolvePath(word, directory);
    if ("problem" in path) ask(path.problem);
    else if (!isHarmlessPath(path.text)) paths.add(path.text);
  };

  return {
    read(word) {
      const isOutput = typeof word !== "string" && isProcessOutput(word);
      if (!isOutput) add(reads, word, (path) => harmlessDevices.has(path));
    },
    write(word) {
      add(writes, word);
      reasons.push(`it writes ${typeof word === "string" ? word : word.source}`);
    },
    remove(word) {
      deletes = true;
      add(writes, word);
      reasons.push(`it deletes ${typeof word === "string" ? word : word.source}`);
    },
    run(commandLine) {
      runs.add(commandLine);
      opaque = true;
    },
    runAnything(commandLine, reason) {
      runs.add(commandLine);
      admit(reason);
    },
    askAround(reason) {
      isPlain = false;
      admit(reason);
    },
    connect: (host) => void hosts.add(host),
    ask,
    list(names) {
      listing = names;
    },
    get reads() {
      return [...reads];
    },
    get writes() {
      return [...writes];
    },
    get runs() {
      return [...runs];
    },
    get hosts() {
      return [...hosts];
    },
    get deletes() {
      return deletes;
    },
    get opaque() {
      return opaque;
    },
    get isTricky() {
      return isTricky;
    },
    get isPlain() {
      return isPlain;
    },
    reasons,
    get listing() {
      return listing;
    },
  };
}

/** Reading these, and redirecting to them, leaves nothing behind and tells nothing. */
export const harmlessDevices: ReadonlySet<string> = new Set([
  "/dev/null",
  "/dev/stdin",
  "/dev/stdout",
  "/dev/stderr",
]);

function resolvePath(
  word: Word | string,
  directory: string | undefined,
): { text: string } | { problem: string } {
  const path = typeof word === "string" ? word : pathOf(word);
  if (path === undefined) {
    return { problem: `which file ${(word as Word).source} is can only be told when it runs` };
  }
  if (typeof word !== "string" && word.kind === "glob") {
    const problem = findGlobProblem(path);
    if (problem !== undefined) return { problem };
  }
  if (posix.isAbsolute(path)) return { text: path };
  if (directory === undefined) return { problem: "it is not known in which directory it runs" };
  return { text: joinPath(directory, path) };
}

function pathOf(word: Word): string | undefined {
  return word.kind === "glob" ? word.pattern : knownText(word);
}

/** Without resolving `..`: after a link it leads elsewhere than the text says. */
function joinPath(directory: string, path: string): string {
  const rest = path.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "");
  if (rest === "" || rest === ".") return directory;
  return directory === "/" ? `/${rest}` : `${directory}/${rest}`;
}
