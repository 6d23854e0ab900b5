import { compileSegment } from "../../../shared/glob/compile-segment.ts";
import type { Word } from "../../shell-syntax/index.ts";
import { escapePattern } from "../facts/expand-glob.ts";
import { askAboutFoundLinks, followLinks } from "../facts/found-links.ts";
import { isAimedAtSecrets } from "../glob-problem.ts";
import { isOneArgument, knownText } from "../known-words.ts";
import type { CheckContext, ProgramCheck } from "../program.ts";
import type { Report } from "../report.ts";

/** Checks `find`: its starting points, then its expression, in which only tests and printing are harmless. */
export const checkFind: ProgramCheck = async ({ operands: words }, report, context) => {
  const start = readStart(words, report);
  for (const path of start.paths) report.read(path);
  if (start.paths.length === 0) report.read(".");
  if (words.some((word) => ["-L", "-follow"].includes(knownText(word) ?? "")))
    await followLinks(report, context);
  const expression = await readExpression(start.rest, { report, context, paths: start.paths });
  listNames(start.paths, expression, report);
};

interface Expression {
  /** The name patterns it searches for. */
  readonly names: readonly string[];
  readonly printsNull: boolean;
  readonly printsOtherwise: boolean;
  /** Whether a file that it prints may have this name. */
  readonly mayBeNamed: (name: string) => boolean;
  /** It prints none that is a link. */
  readonly hasNoLinks: boolean;
}

function readStart(
  words: readonly Word[],
  report: Report,
): { paths: readonly Word[]; rest: readonly Word[] } {
  let index = 0;
  while (index < words.length && globalOptions.has(knownText(words[index]!) ?? "")) index += 1;
  const paths: Word[] = [];
  for (; index < words.length; index += 1) {
    const word = words[index]!;
    const text = knownText(word);
    if (text !== undefined && (text.startsWith("-") || text === "(" || text === "!" || text === ")")) break;
    if (text === undefined && (word.kind !== "glob" || word.prefix === "" || /^[-(!]/.test(word.prefix))) {
      report.ask(`find: ${word.source} may become part of the expression`);
    }
    paths.push(word);
  }
  return { paths, rest: words.slice(index) };
}

const globalOptions: ReadonlySet<string> = new Set(["-H", "-L", "-P", "-O1", "-O2", "-O3"]);

async function readExpression(
  words: readonly Word[],
  { report, context, paths }: { report: Report; context: CheckContext; paths: readonly Word[] },
): Promise<Expression> {
  const names: string[] = [];
  let printsNull = false;
  let printsOtherwise = false;
  let runsProgram = false;
  let mayBeNamed: Expression["mayBeNamed"] = () => true;
  let [isOtherThanLink, hasNoLinks] = [false, true];
  // What comes before an action limits it, unless there are alternatives.
  const limits: ((name: string) => boolean)[] = [];
  const hasAlternatives = words.some((word) => alternatives.has(knownText(word) ?? "("));
  const limited = () => {
    const before = hasAlternatives ? [] : [...limits];
    return (name: string) => before.every((isMeant) => isMeant(name));
  };
  const mayBeLink = () => hasAlternatives || !isOtherThanLink;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    const predicate = word.kind === "literal" ? knownText(word) : undefined;
    if (predicate === undefined) {
      report.ask(`find: ${word.source} may become any part of the expression`);
      continue;
    }
    if (predicate === "-exec") {
      const found = { mayBeNamed: limited(), hasNoLinks: !mayBeLink() };
      index += await judgeExec(words.slice(index + 1), { report, context, paths, found });
      printsOtherwise = true;
      runsProgram = true;
      continue;
    }
    const kind = predicates.get(predicate);
    if (kind === undefined) {
      report.ask(`find ${predicate} ${dangerousActions.get(predicate) ?? "is not known to be harmless"}`);
      return { names, printsNull, printsOtherwise, mayBeNamed, hasNoLinks: false };
    }
    if (predicate === "-print0") {
      const [earlier, now] = [printsNull ? mayBeNamed : () => false, limited()];
      mayBeNamed = (name) => earlier(name) || now(name);
      printsNull = true;
    }
    if (predicate === "-print" || predicate === "-printf" || predicate === "-ls") printsOtherwise = true;
    if (predicate.startsWith("-print")) hasNoLinks &&= !mayBeLink();
    if (kind === "alone") continue;
    index += 1;
    const value = words[index];
    if (value === undefined) continue;
    const text = knownText(value);
    if (text === undefined) report.ask(`find ${predicate} ${value.source} may become several words`);
    else if (kind === "name") names.push(predicate.endsWith("regex") ? asGlob(text) : text);
    else if (kind === "path") report.read(value);
    if (predicate === "-type" && text !== undefined) isOtherThanLink ||= /^[bcdfps,]+$/.test(text);
    if (predicate === "-name" && text !== undefined && /^[\w.*?-]+$/.test(text))
      limits.push(compileSegment(text));
  }
  // The program run by -exec reads the files found by name.
  for (const name of runsProgram ? names : []) {
    report.read(name.replace(/^\/+/, ""));
    if (isAimedAtSecrets(name)) report.ask(`find: ${name} looks for secrets`);
  }
  // An expression without an action prints the paths that are left at its end.
  if (!printsNull && !printsOtherwise) hasNoLinks = !mayBeLink();
  return { names, printsNull, printsOtherwise, mayBeNamed, hasNoLinks };
}

const alternatives: ReadonlySet<string> = new Set("( ) ! , -o -or -not".split(" "));

/** A rough translation, enough to see which names a regular expression searches for. */
function asGlob(expression: string): string {
  return expression
    .replace(/\\?\(/g, "{")
    .replace(/\\?\)/g, "}")
    .replace(/\\?\|/g, ",")
    .replace(/(?<!\\)\.[*+]?/g, "*")
    .replace(/[\\^$]/g, "");
}

type PredicateKind = "alone" | "value" | "name" | "path";

const predicates: ReadonlyMap<string, PredicateKind> = new Map([
  ...kinds(
    "alone",
    "( ) ! , -a -and -o -or -not -true -false -print -print0 -ls -prune -quit -depth -d -daystart -follow -mount -xdev -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn -empty -executable -readable -writable -nouser -nogroup -help --help -version --version",
  ),
  ...kinds(
    "value",
    "-maxdepth -mindepth -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -used -perm -user -group -uid -gid -inum -links -fstype -regextype -newermt -newerat -newerct -printf -context",
  ),
  ...kinds("name", "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname"),
  ...kinds("path", "-newer -anewer -cnewer -samefile"),
]);

function kinds(kind: PredicateKind, names: string): [string, PredicateKind][] {
  return names.split(" ").map((name) => [name, kind]);
}

const dangerousActions: ReadonlyMap<string, string> = new Map([
  ["-delete", "deletes what it finds"],
  ["-execdir", "runs a program for each match"],
  ["-ok", "runs a program"],
  ["-okdir", "runs a program for each match"],
  ["-fprint", "writes a file"],
  ["-fprint0", "writes a file"],
  ["-fprintf", "writes a file"],
  ["-fls", "writes a file"],
  ["-files0-from", "reads its starting points from a file"],
]);

/** Judges the command after `-exec`, where `{}` is a path below the starting point; returns its number of words. */
async function judgeExec(
  words: readonly Word[],
  {
    report,
    context,
    paths,
    found: { mayBeNamed, hasNoLinks },
  }: {
    report: Report;
    context: CheckContext;
    paths: readonly Word[];
    found: Pick<Expression, "mayBeNamed" | "hasNoLinks">;
  },
): Promise<number> {
  const end = words.findIndex((word, index) => {
    const text = knownText(word);
    return text === ";" || (text === "+" && index > 0 && knownText(words[index - 1]!) === "{}");
  });
  if (end === -1) {
    report.ask("find -exec is not terminated by ; or {} +");
    return words.length;
  }
  const early = words.slice(0, end).find((word, index) => mayEndCommand(word, words.slice(index + 1, end)));
  if (early !== undefined) report.ask(`find -exec: ${early.source} may end the command early`);
  const start = paths.length === 0 ? "." : paths.length === 1 ? knownText(paths[0]!) : undefined;
  if (start === undefined) report.ask("find -exec runs a program on files from several folders");
  const folder = start ?? ".";
  const pattern = escapePattern(folder);
  const found: Word = { kind: "glob", pattern, prefix: folder, source: "{}", beneath: { mayBeNamed } };
  const inner = words.slice(0, end).map((word, index): Word => {
    const text = knownText(word);
    if (text === undefined || !text.includes("{}")) return word;
    if (text === "{}" && index > 0) return found;
    return { kind: "dynamic", prefix: "", source: text, why: "it contains a name that find finds" };
  });
  const program = await context.judgeWords(inner, report);
  if (inner.includes(found) && program?.operands !== "data")
    await askAboutFoundLinks({ folder, mayBeNamed, hasNoLinks }, report, context);
  return end + 1;
}

/** If the word turns out to be `;`, the words after it become part of find's expression, possibly an action. */
function mayEndCommand(word: Word, following: readonly Word[]): boolean {
  if (knownText(word) !== undefined) return false;
  return !isOneArgument(word) || following.some((each) => knownText(each)?.startsWith("-") ?? true);
}

/** Passes the search patterns on to the next command of the pipeline, which may read the found files. */
function listNames(
  paths: readonly Word[],
  { names, printsNull, printsOtherwise, mayBeNamed, hasNoLinks }: Expression,
  report: Report,
): void {
  const folder = paths.length === 0 ? "." : paths.length === 1 ? knownText(paths[0]!) : undefined;
  if (folder === undefined) return;
  const isNullSeparated = printsNull && !printsOtherwise;
  report.list({ isNullSeparated, prefix: folder, folder, names, mayBeNamed, hasNoLinks });
}
