import type { Word } from "../shell-syntax/index.ts";
import { isOneArgument, knownText, literalWord, prefixOf } from "./known-words.ts";
import type { ArgumentForm, Option, ParsedArguments, ParsedOption, Program } from "./program.ts";

export type ArgumentGrammar = Pick<Program, "option" | keyof ArgumentForm>;

/** The arguments so far. */
interface Parsing extends ParsedArguments {
  readonly grammar: ArgumentGrammar;
  readonly options: ParsedOption[];
  readonly operands: Word[];
  readonly unsettled: Word[];
  readonly problems: string[];
}

/** Parses arguments the way the program does; anything ambiguous is reported as a problem. */
export function parseArguments(words: readonly Word[], grammar: ArgumentGrammar): ParsedArguments {
  const parsing: Parsing = { grammar, options: [], operands: [], unsettled: [], problems: [] };
  const { options, operands, unsettled, problems } = parsing;
  let onlyOperands = grammar.hasNoOptions === true;
  for (const word of grammar.hasArgumentFiles ? words : [])
    if (mayStartWith(word, "@")) problems.push(`${word.source} may name a file of further arguments`);

  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    const text = knownText(word);
    if (onlyOperands) operands.push(word);
    else if (text === "--" && !grammar.hasNoEndMark) onlyOperands = true;
    else if (text === "-" && grammar.hasNoEndMark)
      options.push({ name: text, values: [], option: undefined });
    else if (index === 0 && grammar.hasLettersFirst && !prefixOf(word).startsWith("-"))
      index += takeLetters(parsing, word, words.slice(1));
    else if (text !== undefined && isPlusOption(text, grammar))
      options.push({ name: text, values: [], option: plain(text) });
    else if (prefixOf(word).startsWith("-") && text !== "-") {
      if (grammar.mayStopAtOperand && operands.length > 0)
        problems.push(`${word.source} may be an operand here`);
      index += takeOption(parsing, word, words.slice(index + 1));
    } else {
      if (text === undefined && mayStartWith(word, "-")) settle(parsing, word);
      operands.push(word);
      onlyOperands = grammar.stopsAtOperand === true;
    }
  }
  return { options, operands, unsettled, problems };
}

/** Whether one of these options is given. */
export function hasOption({ options }: Pick<ParsedArguments, "options">, ...names: string[]): boolean {
  return options.some(({ name }) => names.includes(name));
}

/** The values of all these options. */
export function optionValues(
  { options }: Pick<ParsedArguments, "options">,
  ...names: string[]
): readonly Word[] {
  return options.flatMap(({ name, values }) => (names.includes(name) ? values : []));
}

/** An unknown word without a known prefix may be a file name that starts with a dash. */
function settle({ grammar, unsettled, problems }: Parsing, word: Word): void {
  if (grammar.hasOnlyHarmlessOptions) return;
  if (grammar.hasOnlyReadingOptions && word.kind === "glob") unsettled.push(word);
  else problems.push(`${word.source} may become an option`);
}

/** `tar tf a.tar`: the words after the letters are their values, in the same order. */
function takeLetters(parsing: Parsing, word: Word, following: readonly Word[]): number {
  const { problems } = parsing;
  const text = word.kind === "literal" ? knownText(word) : undefined;
  if (text === undefined || text === "") problems.push(`${word.source} may become any option`);
  let taken = 0;
  for (const letter of text ?? "") taken += takeWhole(parsing, `-${letter}`, following.slice(taken));
  return taken;
}

/** Returns how many of the following words belong to it. */
function takeOption(parsing: Parsing, word: Word, following: readonly Word[]): number {
  const { grammar, options, problems } = parsing;
  const text = knownText(word);
  if (text === undefined) return takeUnknownValue(parsing, word);
  if (word.kind === "variable") problems.push(`${word.source} is used as an option`);
  if (grammar.hasNumericOptions && /^-\d+$/.test(text)) {
    options.push({ name: text, values: [], option: plain(text) });
    return 0;
  }
  return text.startsWith("--") ? takeLong(parsing, text, following) : takeCluster(parsing, text, following);
}

function takeLong(parsing: Parsing, text: string, following: readonly Word[]): number {
  const { grammar, options } = parsing;
  // A table may list an option together with its only known value, such as --paging=never.
  const equals = grammar.option(text) === undefined ? text.indexOf("=") : -1;
  const name = equals === -1 ? text : text.slice(0, equals);
  const option = grammar.option(name);
  if (equals !== -1) {
    const isRefused = option === undefined || option.values === "none";
    options.push({
      name,
      values: [literalWord(text.slice(equals + 1))],
      option: isRefused ? undefined : option,
    });
    return 0;
  }
  return takeWhole(parsing, name, following);
}

/** `-uo out`, `-uoout`. Long options with a single dash are looked up as a whole first. */
function takeCluster(parsing: Parsing, text: string, following: readonly Word[]): number {
  const { grammar, options, problems } = parsing;
  if (text.length > 2 && grammar.option(text) !== undefined) return takeWhole(parsing, text, following);
  let taken = 0;
  for (let at = 1; at < text.length; at += 1) {
    const name = `-${text[at]}`;
    const option = grammar.option(name);
    const rest = text.slice(at + 1);
    const isBundle = rest !== "" && option?.values === "none";
    if (option === undefined || (isBundle && grammar.hasNoBundles)) {
      options.push({ name: option === undefined ? name : text, values: [], option: undefined });
      return taken;
    }
    if (rest !== "" && option.values !== "none" && option.values !== "separate") {
      if (option.values !== "attached" && option.values !== 1) problems.push(`${text} cannot be parsed`);
      options.push({ name, values: [literalWord(rest)], option });
      return taken;
    }
    taken += takeWhole(parsing, name, following.slice(taken));
  }
  return taken;
}

/** Takes an option with the words after it that are its values; returns their number. */
function takeWhole(parsing: Parsing, name: string, following: readonly Word[]): number {
  const { grammar, options } = parsing;
  const option = grammar.option(name);
  const wanted = wordsFor(option);
  options.push({ name, values: takeValues(parsing, name, following.slice(0, wanted)), option });
  return wanted;
}

function takeValues({ grammar, problems }: Parsing, name: string, values: readonly Word[]): readonly Word[] {
  const onlyReads = grammar.hasOnlyHarmlessOptions || grammar.hasOnlyReadingOptions;
  for (const value of values) {
    if (!isOneArgument(value))
      problems.push(`the value ${value.source} of ${name} may become several arguments`);
    // If the option takes no value after all, this word would be an option itself.
    else if (!onlyReads && /^-[^\d]/.test(prefixOf(value))) {
      problems.push(`the value ${value.source} of ${name} looks like an option`);
    }
  }
  return values;
}

/** `--include=*.ts`, `--since="$day"`: whatever the value becomes, every resulting argument is this option. */
function takeUnknownValue({ grammar, options, problems }: Parsing, word: Word): number {
  const prefix = prefixOf(word);
  const equals = prefix.indexOf("=");
  const name = prefix.slice(0, equals);
  const option = equals === -1 || !prefix.startsWith("--") ? undefined : grammar.option(name);
  const isOwnValue = word.kind === "glob" || isOneArgument(word) || isQuotedAfter(word.source, equals);
  if (option?.meaning === "harmless" && option.values !== "none" && isOwnValue) {
    options.push({ name, values: [word], option });
  } else problems.push(`${word.source} may become any option`);
  return 0;
}

function wordsFor(option: Option | undefined): number {
  if (option?.values === "separate") return 1;
  return typeof option?.values === "number" ? option.values : 0;
}

function isPlusOption(text: string, { hasPlusOptions }: ArgumentGrammar): boolean {
  return hasPlusOptions === true && text.startsWith("+");
}

function plain(name: string): ParsedOption["option"] {
  return { name, means: name, values: "none", meaning: "harmless" };
}

/** Whether one of the arguments that the word becomes may start with this character. */
function mayStartWith(word: Word, character: string): boolean {
  const prefix = prefixOf(word);
  return prefix === "" ? knownText(word) === undefined : prefix.startsWith(character);
}

/** `--since="$day"`: the value after the equals sign is one quoted string. */
function isQuotedAfter(source: string, equals: number): boolean {
  const value = source.slice(equals + 1);
  return isOneArgument({ kind: "dynamic", prefix: "", source: value, why: "" });
}
