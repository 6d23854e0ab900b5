import { relativeInside } from "../../shared/relative-inside.ts";
import type { Word } from "../shell-syntax/index.ts";
import { escapePattern } from "./facts/expand-glob.ts";
import { askAboutFoundLinks, withoutPattern } from "./facts/found-links.ts";
import type { MachineFacts } from "./facts/machine-facts.ts";
import { readIndex } from "./git/read-index.ts";
import { isAimedAtSecrets } from "./glob-problem.ts";
import { knownText } from "./known-words.ts";
import { hasOption, optionValues } from "./parse-arguments.ts";
import type { CheckContext, ParsedArguments, Program } from "./program.ts";
import type { NameSource, Report } from "./report.ts";

interface Feeding extends Pick<CheckContext, "input" | "world" | "directory"> {
  /** The program that gets the arguments. */
  readonly program: Program | undefined;
  /** The options of `xargs` itself. */
  readonly parsed: ParsedArguments;
  readonly report: Report;
}

/**
 * The command that `xargs` builds from its input. File names separated by NUL arrive intact. Separated by white space, one
 * name may become several, so only programs that show nothing of a file's content may get them without asking, and only
 * if no name would be taken apart.
 */
export async function feedArguments(words: readonly Word[], feeding: Feeding): Promise<readonly Word[]> {
  const { parsed, program } = feeding;
  const fed = await fedWord(feeding);
  const [placeholder] = optionValues(parsed, "-I");
  if (placeholder === undefined) return [...words, fed];
  const mark = knownText(placeholder) ?? "";
  if (mark === "") feeding.report.ask(`the placeholder ${placeholder.source} is unknown until it runs`);
  return words.map((word, index) => {
    const text = knownText(word);
    if (text === undefined || !text.includes(mark)) return word;
    if (text === mark && index > 0) return fed;
    return program?.operands === "data" && index > 0
      ? fed
      : { kind: "dynamic", prefix: "", source: text, why: "it contains a name from the input" };
  });
}

async function fedWord({ program, parsed, input, report, world, directory }: Feeding): Promise<Word> {
  const isData = program?.operands === "data" && program.hasOnlyHarmlessOptions === true;
  const source = "the names from its input";
  const why = "it comes from the input";
  if (isData) return { kind: "dynamic", prefix: "", source, why };
  if (input === undefined) {
    report.ask("its input could name any file");
    return { kind: "dynamic", prefix: "", source, why };
  }
  const isExact = hasOption(parsed, "-0", "--null") && input.isNullSeparated;
  const {
    hasOnlyHarmlessOptions = false,
    hasOnlyReadingOptions = false,
    showsNoContent = false,
  } = program ?? {};
  const mayTakeNames = showsNoContent && (hasOnlyHarmlessOptions || hasOnlyReadingOptions);
  if (!isExact && !mayTakeNames)
    report.ask("a file name with spaces would become several arguments, possibly options");
  else if (!isExact || (hasOnlyReadingOptions && input.prefix === "")) {
    const problem = await findNameProblem(input.source, { isWhole: isExact, world });
    if (problem !== undefined) report.ask(problem);
  }
  for (const name of input.names) {
    report.read(`${escapePattern(input.folder)}/${name}`);
    if (isAimedAtSecrets(name)) report.ask(`${name} looks for secrets`);
  }
  await askAboutFoundLinks(input, report, { directory, world });
  const prefix = isExact ? input.prefix : "";
  const beneath = { mayBeNamed: input.mayBeNamed ?? (() => true) };
  return { kind: "glob", pattern: escapePattern(input.folder), prefix, source, beneath };
}

/**
 * Why one of the names that a command prints would not reach the next program as just a file name: it starts with a dash
 * or, unless names arrive whole, it would be taken apart; undefined if all of them are plain.
 */
async function findNameProblem(
  source: NameSource | undefined,
  { isWhole, world }: { readonly isWhole: boolean; readonly world: MachineFacts },
): Promise<string | undefined> {
  const isPlain = (path: string) => !/(?:^|\/)-/.test(path) && (isWhole || !/[\s'"\\\p{Cc}]/u.test(path));
  const paths = await pathsOf(source, { isFlat: isWhole, world });
  if (paths === undefined) return "the file names that it would get are too many to look at, or unknown";
  const odd = paths.find((path) => !isPlain(path));
  return odd === undefined
    ? undefined
    : `the file name ${JSON.stringify(odd)} would become several arguments, or an option`;
}

async function pathsOf(
  source: NameSource | undefined,
  { isFlat, world }: { readonly isFlat: boolean; readonly world: MachineFacts },
): Promise<readonly string[] | undefined> {
  if (source === undefined || source === "past") return undefined;
  const paths: string[] = [];
  for (const place of source.places ?? []) {
    const folder = withoutPattern(place);
    const found = await world.listBelow(folder, { most, isFlat: isFlat || source.isFlat === true });
    if (found === undefined) return undefined;
    paths.push(relativeInside(world.root, folder) ?? folder);
    for (const { path } of found) paths.push(path);
  }
  if (source.index === undefined) return paths;
  const entries = await readIndex(source.index, world);
  return entries === undefined ? undefined : [...paths, ...entries.map(({ path }) => path)];
}

// A large project with its dependencies.
const most = 50_000;
