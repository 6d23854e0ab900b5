import type { Word } from "../../shell-syntax/shell-script.ts";
import { isAimedAtSecrets } from "./glob-problem.ts";
import { knownText } from "./known-words.ts";
import type { ParsedArguments, Program } from "./program.ts";
import type { Listing, Report } from "./report.ts";

interface Feeding {
  /** The program that gets the arguments. */
  readonly program: Program | undefined;
  /** The options of `xargs` itself. */
  readonly parsed: ParsedArguments;
  readonly input: Listing | undefined;
  readonly report: Report;
}

/**
 * * The command that `xargs` builds from its input. File names separated by NUL arrive intact. Separated by white space,
 * one name may become several, so only programs that show nothing of a file's content may get them without asking.
 */
export function feedArguments(words: readonly Word[], feeding: Feeding): readonly Word[] {
  const { parsed, program } = feeding;
  const fed = fedWord(feeding);
  const placeholder = parsed.options.find(({ name }) => name === "-I")?.values[0];
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

function fedWord({ program, parsed, input, report }: Feeding): Word {
  const isData = program?.operands === "data" && program.hasOnlyHarmlessOptions === true;
  const source = "the names from its input";
  const why = "it comes from the input";
  if (isData) return { kind: "dynamic", prefix: "", source, why };
  if (input === undefined) {
    report.ask("its input could name any file");
    return { kind: "dynamic", prefix: "", source, why };
  }
  const takesNull = parsed.options.some(({ name }) => name === "-0" || name === "--null");
  const isExact = takesNull && input.isNullSeparated;
  const mayTakeParts = program?.hasOnlyHarmlessOptions === true && program.showsNoContent === true;
  if (!isExact && !mayTakeParts) {
    report.ask("a file name with spaces would become several arguments, possibly options");
  }
  for (const name of input.names) {
    report.read(`${input.folder}/${name}`);
    if (isAimedAtSecrets(name)) report.ask(`${name} looks for secrets`);
  }
  const prefix = isExact ? input.prefix : "";
  return { kind: "glob", pattern: input.folder, prefix, source };
}
