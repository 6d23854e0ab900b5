import type { Word } from "../../shell-syntax/shell-script.ts";
import { isAimedAtSecrets } from "./glob-problem.ts";
import { knownText } from "./known-words.ts";
import type { ParsedArguments, Program } from "./program.ts";
import type { Listing, Report } from "./report.ts";

interface Feeding {
  /** What is run. */
  readonly program: Program | undefined;
  /** The options of the one who feeds. */
  readonly parsed: ParsedArguments;
  readonly input: Listing | undefined;
  readonly report: Report;
}

/**
 * The command that `xargs` makes of its input. Names of files between zero bytes arrive as they are; between blanks and
 * lines, one name may become several, so that only a program that tells nothing of a file's content may have them.
 */
export function feedArguments(words: readonly Word[], feeding: Feeding): readonly Word[] {
  const { parsed, program } = feeding;
  const fed = fedWord(feeding);
  const placeholder = parsed.options.find(({ name }) => name === "-I")?.values[0];
  if (placeholder === undefined) return [...words, fed];
  const mark = knownText(placeholder) ?? "";
  if (mark === "") feeding.report.ask(`what ${placeholder.source} stands for is not known`);
  return words.map((word, index) => {
    const text = knownText(word);
    if (text === undefined || !text.includes(mark)) return word;
    if (text === mark && index > 0) return fed;
    return program?.operands === "data" && index > 0
      ? fed
      : { kind: "dynamic", prefix: "", source: text, why: "it is made of what is fed" };
  });
}

function fedWord({ program, parsed, input, report }: Feeding): Word {
  const isData = program?.operands === "data" && program.hasOnlyHarmlessOptions === true;
  const source = "the names it is fed";
  if (isData) return { kind: "dynamic", prefix: "", source, why: "it is fed" };
  if (input === undefined) {
    report.ask("the files it is fed may be any");
    return { kind: "dynamic", prefix: "", source, why: "it is fed" };
  }
  const takesNull = parsed.options.some(({ name }) => name === "-0" || name === "--null");
  const isExact = takesNull && input.isNullSeparated;
  const mayTakeParts = program?.hasOnlyHarmlessOptions === true && program.showsNoContent === true;
  if (!isExact && !mayTakeParts) {
    report.ask("a name with a blank in it would become several arguments, options among them");
  }
  for (const name of input.names) {
    report.read(`${input.folder}/${name}`);
    if (isAimedAtSecrets(name)) report.ask(`${name} looks for secrets`);
  }
  const prefix = isExact ? input.prefix : "";
  return { kind: "glob", pattern: input.folder, prefix, source };
}
