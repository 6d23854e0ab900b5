import type { Word } from "../shell-syntax/index.ts";
import { followLinks } from "./facts/found-links.ts";
import { isOneArgument } from "./known-words.ts";
import { hasOption, parseArguments } from "./parse-arguments.ts";
import type { CheckContext, OperandRule, ParsedArguments, ParsedOption, Program } from "./program.ts";
import type { Report } from "./report.ts";

/** Reports what a known program would do with these arguments. */
export async function judgeArguments(
  program: Program,
  words: readonly Word[],
  { report, context }: { report: Report; context: CheckContext },
): Promise<void> {
  const parsed = parseArguments(words, program);
  for (const problem of parsed.problems) report.ask(`${context.name}: ${problem}`);
  if (parsed.unsettled.length > 0) await settleNames(parsed.unsettled, report, context);
  for (const option of parsed.options) {
    judgeOption(option, report, context.name);
    if (program.mayTakeNoValue?.includes(option.name)) for (const value of option.values) report.read(value);
  }
  judgeOperands(program, parsed, report);
  const isGiven = (names: "always" | readonly string[] = []) =>
    names === "always" || hasOption(parsed, ...names);
  const { with: following, unless, inBusybox } = program.follows ?? {};
  const mayFollow = isGiven(inBusybox) && (await context.world.isBusybox(context.name)) === true;
  if ((isGiven(following) || mayFollow) && !isGiven(unless)) await followLinks(report, context);
  // A glob lists a folder even if the program ignores the names.
  for (const word of words) if (word.kind === "glob") report.read(globPath(word));
  await program.check?.(parsed, report, context);
  if (program.selectsLines && report.found.reads.size === 0 && context.input !== undefined)
    report.list({ ...context.input, isNullSeparated: false, prefix: "" });
}

/** A pattern in the current directory becomes an option if a file there has a name like one. */
async function settleNames(
  words: readonly Word[],
  report: Report,
  { name, directory, world }: CheckContext,
): Promise<void> {
  const names =
    directory === undefined ? undefined : await world.listBelow(directory, { most: 10_000, isFlat: true });
  if (names === undefined || names.some(({ path }) => path.startsWith("-")))
    report.ask(`${name}: ${words[0]!.source} may become an option`);
}

/** The shell expands `--include=*.ts` too, but it can only match in the current directory. */
function globPath(word: Word & { kind: "glob" }): Word | string {
  return word.prefix.startsWith("-") ? "." : word;
}

function judgeOption({ name, option, values }: ParsedOption, report: Report, program: string): void {
  const last = values.at(-1);
  if (option === undefined) report.ask(`${program} ${name} is not known to be harmless`);
  else if (option.meaning === "asks") report.ask(`${program} ${name} ${option.reason}`);
  else if (option.meaning === "reads" && last !== undefined) report.read(last);
  else if (option.meaning === "writes" && last !== undefined) report.write(last);
}

function judgeOperands({ operands: rule }: Program, parsed: ParsedArguments, report: Report): void {
  if (typeof rule === "object") judgePathsAfterData(rule, parsed, report);
  for (const word of parsed.operands) {
    if (rule === "none") report.ask(`the argument ${word.source} is not known to be harmless`);
    else if (rule === "reads") report.readOperand(word);
    else if (rule === "writes") report.write(word);
    else if (rule === "removes") report.remove(word);
  }
}

function judgePathsAfterData(
  { dataFirst = 0, unless = [], readsOrDirectory = [] }: OperandRule & object,
  parsed: ParsedArguments,
  report: Report,
): void {
  const { operands } = parsed;
  const dataCount = hasOption(parsed, ...unless) ? 0 : dataFirst;
  for (const word of operands.slice(0, dataCount)) {
    if (!isOneArgument(word)) report.ask(`${word.source} may become several arguments, including file names`);
  }
  const paths = operands.slice(dataCount);
  for (const word of paths) report.readOperand(word);
  const mayReadHere = readsOrDirectory === "always" || hasOption(parsed, ...readsOrDirectory);
  if (paths.length === 0 && mayReadHere) report.read(".");
}
