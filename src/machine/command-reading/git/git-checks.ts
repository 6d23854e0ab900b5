import { join } from "node:path";
import type { Word } from "../../shell-syntax/index.ts";
import { knownText } from "../known-words.ts";
import { hasOption } from "../parse-arguments.ts";
import type { ProgramCheck } from "../program.ts";
import type { Report } from "../report.ts";

/** `%G…` and `%(signature…)` verify signatures, which runs a program; `%(describe)` runs git once more. */
export const checkGitFormat: ProgramCheck = ({ options }, report, { name }) => {
  for (const option of options.filter((each) => formatOptions.includes(each.name))) {
    const [word] = option.values;
    const text = word === undefined ? "" : knownText(word);
    if (text === undefined || /%[-+ ]?G|signature|%\(describe/.test(text)) {
      report.ask(`${name} ${option.name} may run a program, as to verify signatures`);
    } else if (option.name === "--group") {
      if (!/^(?:author|committer|trailer:[\w-]+|format:.*)$/s.test(text))
        report.ask(`${name} ${option.name}=${text} is not known to be harmless`);
    } else if (option.name !== "--sort" && !/%/.test(text) && !knownFormats.has(text)) {
      // A named format may be defined in the settings.
      report.ask(`${name} ${option.name}=${text} is not a known format`);
    }
  }
};

const formatOptions = ["--format", "--pretty", "--sort", "--group"];
const knownFormats: ReadonlySet<string> = new Set([
  "",
  ..."oneline short medium full fuller reference email raw mboxrd format: tformat:".split(" "),
]);

/** Options of which only some values do no more than print; `short` enters no submodule, and `remerge` writes objects. */
const knownValues: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["--submodule", new Set(["short"])],
  ["--diff-merges", new Set("off none on m first-parent 1 separate combined c dense-combined cc".split(" "))],
]);

/** Checks the revisions and paths in operands and options. */
export const checkRevisions: ProgramCheck = (parsed, report, context) => {
  checkGitFormat(parsed, report, context);
  for (const { name, values } of parsed.options) {
    const text = values[0] && knownText(values[0]);
    if (knownValues.get(name)?.has(text ?? "") === false)
      report.ask(
        `${context.name} ${name}${text === undefined ? "" : `=${text}`} may do more than show changes`,
      );
  }
  for (const word of parsed.operands) readRevisionOrPath(word, report, context.repository);
  for (const { name, values } of parsed.options) {
    // `-L 1,5:file`
    const text = name === "-L" ? values[0] && knownText(values[0]) : undefined;
    if (text?.includes(":"))
      readInRevision(text.slice(text.lastIndexOf(":") + 1), report, context.repository);
  }
};

/** An operand creates something unless one of these options asks for a list. */
export const listsOnlyWith =
  (...listing: string[]): ProgramCheck =>
  (parsed, report, context) => {
    checkGitFormat(parsed, report, context);
    if (parsed.operands.length > 0 && !hasOption(parsed, ...listing))
      report.ask(`${context.name} with a name changes the repository`);
  };

/** Allows reading settings that hold no secrets. */
export const checkConfig: ProgramCheck = (parsed, report) => {
  const [key, ...more] = parsed.operands.map(knownText);
  const isNothingNamed = parsed.operands.length === 0 && !hasOption(parsed, "--get", "--get-all");
  if (more.length > 0 || isNothingNamed) return report.ask("git config may change settings");
  if (
    key === undefined ||
    !/^(?:user|core|branch|init|pull|push|fetch|color|diff|merge|rebase|commit|remote)\.[\w./-]*$/.test(key)
  ) {
    report.ask("the setting may hold a secret");
  }
};

/** Here `-L` takes line numbers without a file. */
export const checkBlame: ProgramCheck = (parsed, report, context) =>
  checkRevisions({ ...parsed, options: parsed.options.filter(({ name }) => name !== "-L") }, report, context);

/** The first operand is the pattern, unless an option gives it. */
export const checkGrep: ProgramCheck = (parsed, report, context) => {
  const operands = parsed.operands.slice(hasOption(parsed, "-e") ? 0 : 1);
  return checkRevisions({ ...parsed, operands }, report, context);
};

export const checkDiff: ProgramCheck = (parsed, report, context) => {
  if (!hasOption(parsed, "--name-only") || hasOption(parsed, "--line-prefix"))
    return checkRevisions(parsed, report, context);
  // Compared with a commit, a name may be one that was removed long ago.
  const isPast = parsed.operands.length > 0 || hasOption(parsed, "--cached", "--staged", "--merge-base");
  const isNullSeparated = hasOption(parsed, "-z");
  const source = isPast || context.index === undefined ? "past" : { index: context.index };
  report.list({ isNullSeparated, prefix: "", folder: ".", names: [], source });
  return checkRevisions(parsed, report, context);
};

/** `git ls-files` prints file names, which the next command of a pipeline may read. */
export const checkTracked: ProgramCheck = (parsed, report, context) => {
  const { index, directory } = context;
  const isOnDisk = hasOption(parsed, "-o", "--others", "-k", "--killed", "-i", "--ignored");
  const places = isOnDisk && directory !== undefined ? [directory] : undefined;
  if (!hasOption(parsed, "--format")) {
    const source = index === undefined ? "past" : places === undefined ? { index } : { index, places };
    report.list({ isNullSeparated: hasOption(parsed, "-z"), prefix: "", folder: ".", names: [], source });
  }
  return checkRevisions(parsed, report, context);
};

/** Subcommands other than listing change the reflog. */
export const checkReflog: ProgramCheck = (parsed, report, context) => {
  const [first] = parsed.operands.map(knownText);
  if (first !== undefined && ["expire", "delete", "drop", "exists", "write"].includes(first)) {
    return report.ask(`git reflog ${first} is not known to be read-only`);
  }
  return checkRevisions(parsed, report, context);
};

/** Reports the files that a revision, range or path may name: `HEAD:src/a.ts`, `../other`, `.env`. */
function readRevisionOrPath(word: Word, report: Report, repository: string | undefined): void {
  const text = knownText(word);
  if (text === undefined) {
    if (word.kind === "glob") report.read(word);
    else report.ask(`${word.source} could be any revision or file`);
    return;
  }
  if (text.includes(":")) {
    const paths = pathsIn(text);
    if (paths.length > maxPaths) report.ask("a revision has more colons than can be followed");
    for (const path of fewOf(paths)) readInRevision(path, report, repository);
    return;
  }
  // A range such as `main..feature/x` may be a path as well: as a path it must lead to nothing that is out of bounds.
  report.read(text);
}

/** Real revisions have three at most; each path is looked for on disk. */
const maxPaths = 16;

/**
 * Leaves out the middle of too many paths: the first ones are for a file with colons in its name, the last ones for a
 * revision with colons.
 */
function fewOf(paths: readonly string[]): readonly string[] {
  if (paths.length <= maxPaths) return paths;
  return [...paths.slice(0, maxPaths / 2), ...paths.slice(-maxPaths / 2)];
}

/** Reports a path after a revision, which begins at the root of the repository, or in the current folder. */
function readInRevision(path: string, report: Report, repository: string | undefined): void {
  report.read(path === "" ? "." : path);
  if (repository !== undefined) report.read(join(repository, path));
}

/**
 * The paths in `HEAD:path`, `:path`, `:0:path`, `:/path` and `:(magic)path`; an excluding pathspec reads nothing. A
 * revision may contain colons, as in `HEAD@{10:00}:path`, so every colon may start a path.
 */
function pathsIn(text: string): string[] {
  if (/^:(?:[!^]|\([^)]*exclude)/.test(text)) return [];
  if (text.startsWith(":(")) return [text.slice(text.indexOf(")") + 1)];
  return [...text.matchAll(/:\/?/g)].map((colon) => text.slice(colon.index + colon[0].length));
}
